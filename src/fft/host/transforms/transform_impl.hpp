#pragma once
#include "fft/host/transforms/transform.hpp"
#include "fft/math/roots.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace detail {

/// Calls f.operator()<R>() for R == radix.
template <class F, int... Radices>
void with_radix(int radix, const F& f, std::integer_sequence<int, Radices...> /*list*/) {
  static_cast<void>(((radix == Radices && (f.template operator()<Radices>(), true)) || ...));
}
template <class F>
void with_radix(int radix, const F& f) {
  with_radix(radix, f, HostRadixList{});
}

template <class Real>
struct LoadValues {
  const PackValue<Real>* from;
  [[gnu::always_inline]] PackValue<Real> operator()(index_t i) const { return from[i]; }
};

template <class Real, bool Swapped>
struct LoadRows {
  const Real* first;
  index_t stride;
  [[gnu::always_inline]] PackValue<Real> operator()(index_t i) const {
    const PackValue<Real> value = load_interleaved(first + i * stride);
    return Swapped ? PackValue<Real>{value.im, value.re} : value;
  }
};

template <class Real>
struct StoreValues {
  PackValue<Real>* to;
  [[gnu::always_inline]] void operator()(index_t i, const PackValue<Real>& value) const { to[i] = value; }
};

template <class Real, bool Swapped>
struct StoreRows {
  Real* first;
  index_t stride;
  Stores stores;
  [[gnu::always_inline]] void operator()(index_t i, const PackValue<Real>& value) const {
    store_interleaved(first + i * stride, Swapped ? PackValue<Real>{value.im, value.re} : value, stores);
  }
};

/// Does butterflies j = 0 ... span - 1, each of inputs j + q * span, and multiplies their outputs by the twiddles of the stages
/// to come.
template <int R, class Real, class Load>
void twiddled_butterflies(const Load& load, PackValue<Real>* to, index_t span, const Complex<Real>* twiddles) {
  for (index_t j = 0; j < span; ++j) {
    PackValue<Real> v[R];
#pragma GCC unroll 16
    for (int q = 0; q < R; ++q) {
      v[q] = load(j + q * span);
    }
    butterfly<R>(v);
    to[j] = v[0];
#pragma GCC unroll 16
    for (int q = 1; q < R; ++q) {
      to[j + q * span] = v[q] * twiddles[q - 1];
    }
    twiddles += R - 1;
  }
}

}  // namespace detail

template <class Real>
HostTransform<Real>::HostTransform(index_t length) : length_(length) {
  const auto radices = host_radices(length);
  PHPC_EXPECT(radices.has_value());
  const std::vector<Complex<double>> roots = all_roots_of_unity(length);
  order_ = {0};
  index_t left = length;  // the length of the groups of a stage
  for (std::size_t index = 0; index < radices->size(); ++index) {
    const int radix = (*radices)[index];
    const index_t groups = length / left;
    const index_t span = left / radix;
    stages_.push_back({radix, span, twiddles_.size()});
    if (span == 1) {
      break;
    }
    for (index_t j = 0; j < span; ++j) {
      for (int q = 1; q < radix; ++q) {
        const Complex<double> w = roots[static_cast<std::size_t>(j * q * groups)];  // j q < left
        twiddles_.push_back({static_cast<Real>(w.re), static_cast<Real>(w.im)});
      }
    }
    std::vector<index_t> order;
    for (const index_t earlier : order_) {
      for (int q = 0; q < radix; ++q) {
        order.push_back(earlier + groups * q);
      }
    }
    order_ = std::move(order);
    left = span;
  }
  const index_t last_radix = stages_.empty() ? 1 : stages_.back().radix;
  place_.resize(static_cast<std::size_t>(length));
  for (index_t group = 0; group < length / last_radix; ++group) {
    for (index_t q = 0; q < last_radix; ++q) {
      const index_t frequency = order_[static_cast<std::size_t>(group)] + q * (length / last_radix);
      place_[static_cast<std::size_t>(frequency)] = static_cast<std::int32_t>(group * last_radix + q);
    }
  }
}

template <class Real>
std::size_t HostTransform<Real>::table_bytes() const {
  return twiddles_.size() * sizeof(Complex<Real>) + order_.size() * sizeof(index_t) + place_.size() * sizeof(std::int32_t);
}

template <class Real>
template <class Load>
void HostTransform<Real>::first_stage(const Load& load, Value* to) const {
  const Stage& stage = stages_.front();
  detail::with_radix(stage.radix, [&]<int R>() {
    detail::twiddled_butterflies<R, Real>(load, to, stage.span, twiddles_.data() + stage.twiddles);
  });
}

template <class Real>
void HostTransform<Real>::middle_stages(Value* values) const {
  for (std::size_t index = 1; index + 1 < stages_.size(); ++index) {
    const Stage& stage = stages_[index];
    detail::with_radix(stage.radix, [&]<int R>() {
      for (Value* group = values; group != values + length_; group += R * stage.span) {
        detail::twiddled_butterflies<R, Real>(detail::LoadValues<Real>{group}, group, stage.span,
                                              twiddles_.data() + stage.twiddles);
      }
    });
  }
}

template <class Real>
template <class Store>
void HostTransform<Real>::last_stage(const Value* from, const Store& store) const {
  const int radix = stages_.back().radix;
  detail::with_radix(radix, [&]<int R>() {
    const index_t step = length_ / R;
    for (index_t group = 0; group < step; ++group) {
      Value v[R];
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        v[q] = from[group * R + q];
      }
      butterfly<R>(v);
      const index_t first = order_[static_cast<std::size_t>(group)];
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        store(first + q * step, v[q]);
      }
    }
  });
}

template <class Real>
void HostTransform<Real>::last_stage_in_place(Value* values) const {
  detail::with_radix(stages_.back().radix, [&]<int R>() {
    for (index_t first = 0; first < length_; first += R) {
      Value v[R];
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        v[q] = values[first + q];
      }
      butterfly<R>(v);
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        values[first + q] = v[q];
      }
    }
  });
}

template <class Real>
template <class Load, class Store>
void HostTransform<Real>::only_stage(const Load& load, const Store& store) const {
  if (stages_.empty()) {
    store(0, load(0));
    return;
  }
  const auto run = [&]<int R>() {
    Value v[R];
#pragma GCC unroll 16
    for (int q = 0; q < R; ++q) {
      v[q] = load(q);
    }
    butterfly<R>(v);
#pragma GCC unroll 16
    for (int q = 0; q < R; ++q) {
      store(q, v[q]);
    }
  };
  detail::with_radix(stages_.front().radix, run, HostRadixList{});
}

template <class Real>
void HostTransform<Real>::run(const Value* from, Value* to, Value* work) const {
  if (stages_.size() <= 1) {
    only_stage(detail::LoadValues<Real>{from}, detail::StoreValues<Real>{to});
    return;
  }
  first_stage(detail::LoadValues<Real>{from}, work);
  middle_stages(work);
  last_stage(work, detail::StoreValues<Real>{to});
}

template <class Real>
void HostTransform<Real>::run(Value* values) const {
  if (stages_.size() <= 1) {
    only_stage(detail::LoadValues<Real>{values}, detail::StoreValues<Real>{values});
    return;
  }
  first_stage(detail::LoadValues<Real>{values}, values);
  middle_stages(values);
  last_stage_in_place(values);
}

template <class Real>
void HostTransform<Real>::run(const InterleavedRows<const Real>& from, Value* work) const {
  const auto with = [&](const auto& load) {
    if (stages_.size() <= 1) {
      only_stage(load, detail::StoreValues<Real>{work});
      return;
    }
    first_stage(load, work);
    middle_stages(work);
    last_stage_in_place(work);
  };
  if (from.swapped) {
    with(detail::LoadRows<Real, true>{from.first, from.stride});
  } else {
    with(detail::LoadRows<Real, false>{from.first, from.stride});
  }
}

template <class Real>
void HostTransform<Real>::run(const Value* from, const InterleavedRows<Real>& to, Value* work) const {
  const auto with = [&](const auto& store) {
    if (stages_.size() <= 1) {
      only_stage(detail::LoadValues<Real>{from}, store);
      return;
    }
    first_stage(detail::LoadValues<Real>{from}, work);
    middle_stages(work);
    last_stage(work, store);
  };
  if (to.swapped) {
    with(detail::StoreRows<Real, true>{to.first, to.stride, to.stores});
  } else {
    with(detail::StoreRows<Real, false>{to.first, to.stride, to.stores});
  }
}

}  // namespace phpc::fft
