#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "phpc/core/error.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/launch.hpp"
#include "phpc/fft/plan.hpp"

namespace phpc::fft {

/// A functor that gives element `element` (in C order) of transform `transform` of the batch: Real or Complex<Real>, made from
/// whatever it points to on the device: samples times a window, integers, two arrays added. Trivially copyable.
template <class L>
concept LoadFunctor = std::is_trivially_copyable_v<L> && std::invocable<const L&, index_t, index_t>;

/// A functor that takes an element of a result and does with it what it likes: scale it, keep |X|^2 only, add it to an array.
/// Trivially copyable; called once for each element, in any order, from several threads.
template <class S, class Number>
concept StoreFunctor = std::is_trivially_copyable_v<S> && std::invocable<const S&, index_t, index_t, Number>;

namespace detail {

inline constexpr int hook_threads = 256;
inline constexpr index_t hook_elements = 4 * hook_threads;  ///< of a team

/// Fills dense memory with what a load hook gives for the transforms from `first` on, `each` elements of each.
template <class Hook, class Number>
struct HookLoad {
  static constexpr int team_size = hook_threads;
  struct Scratch {};
  Hook hook;
  Number* dense;
  index_t first;  ///< transform
  index_t each;   ///< elements of a transform
  index_t count;  ///< elements in all

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    const index_t begin = team.league_rank() * hook_elements;
    for (index_t i = begin + team.rank(); i < begin + hook_elements && i < count; i += team.size()) {
      dense[i] = hook(first + i / each, i % each);
    }
  }
};

/// Hands the elements of dense memory to a store hook, as those of the transforms from `first` on.
template <class Hook, class Number>
struct HookStore {
  static constexpr int team_size = hook_threads;
  struct Scratch {};
  Hook hook;
  const Number* dense;
  index_t first;
  index_t each;
  index_t count;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    const index_t begin = team.league_rank() * hook_elements;
    for (index_t i = begin + team.rank(); i < begin + hook_elements && i < count; i += team.size()) {
      hook(first + i / each, i % each, dense[i]);
    }
  }
};

/// Returns how many transforms of a batch go through together, each of `bytes_each` bytes of input and result.
index_t hooked_part(exec::Device device, index_t batch, std::size_t bytes_each);

}  // namespace detail

/// A Plan whose input comes out of a functor and whose result goes into one. The batch goes through in parts that stay in a
/// processor's cache. On a GPU each hook costs a pass over memory; the user needs no array of his own on any device.
///   struct Windowed { const float* samples; const float* window; index_t n;
///     float operator()(index_t t, index_t e) const { return samples[t * n + e] * window[e]; } };
///   struct Power { float* power; index_t n;
///     void operator()(index_t t, index_t e, Complex<float> x) const { power[t * n + e] = x.re * x.re + x.im * x.im; } };
///   HookedPlan<float, Windowed, Power> plan({.lengths = {n}, .batch = b, .kind = Kind::real_to_complex}, device);
///   plan.execute({samples, window, n}, {power, n / 2 + 1});
/// Translation units that use it contain kernels: compile them as those of the house are (for GPUs, with clang's offloading).
template <class Real, LoadFunctor Load, class Store>
class HookedPlan {
 public:
  /// Real or Complex<Real>: what the load hook gives, and what the store hook takes.
  using In = std::invoke_result_t<const Load&, index_t, index_t>;
  using Out = std::conditional_t<std::invocable<const Store&, index_t, index_t, Complex<Real>>, Complex<Real>, Real>;
  static_assert(StoreFunctor<Store, Out>);
  static_assert(std::is_same_v<In, Real> || std::is_same_v<In, Complex<Real>>,
                "the load hook gives neither Real nor Complex<Real>");
  static constexpr Kind kind = std::is_same_v<In, Real>    ? Kind::real_to_complex
                               : std::is_same_v<Out, Real> ? Kind::complex_to_real
                                                           : Kind::complex_to_complex;

  /// Layouts and repeats of the descriptor are not used: where elements lie is the hooks' affair. Throws as Plan does, and
  /// Error(usage) when kind or precision are not those of the hooks.
  HookedPlan(Descriptor descriptor, exec::Device device)
      : batch_(descriptor.batch), in_each_(product(descriptor.in_lengths())), out_each_(product(descriptor.out_lengths())) {
    PHPC_VALIDATE(descriptor.kind == kind, ErrorKind::usage,
                  "the hooks are for another kind of transform than the descriptor's; set its kind to that of their numbers");
    descriptor.precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64;
    descriptor.in = {};
    descriptor.out = {};
    descriptor.repeats.clear();
    const auto bytes = static_cast<std::size_t>(in_each_) * sizeof(In) + static_cast<std::size_t>(out_each_) * sizeof(Out);
    descriptor.batch = detail::hooked_part(device, batch_, bytes);
    plan_ = std::make_unique<Plan>(descriptor, device);
    in_ = exec::Buffer<In>(device, descriptor.batch * in_each_);
    out_ = exec::Buffer<Out>(device, descriptor.batch * out_each_);
  }

  /// Transforms the batch and waits for it. One thread at a time.
  void execute(const Load& load, const Store& store) {
    const index_t part = plan_->descriptor().batch;
    for (index_t done = 0; done < batch_; done += part) {
      const index_t now = std::min(part, batch_ - done);
      launch(now * in_each_, detail::HookLoad<Load, In>{load, in_.data(), done, in_each_, now * in_each_});
      plan_->execute(in_.data(), out_.data(), now);
      launch(now * out_each_, detail::HookStore<Store, Out>{store, out_.data(), done, out_each_, now * out_each_});
    }
  }

 private:
  static index_t product(const std::vector<index_t>& lengths) {
    index_t all = 1;
    for (const index_t length : lengths) {
      all *= length;
    }
    return all;
  }
  template <class Kernel>
  void launch(index_t count, const Kernel& kernel) {
    exec::launch(plan_->device(), {.groups = ceil_div(count, detail::hook_elements)}, kernel);
  }

  index_t batch_;
  index_t in_each_;
  index_t out_each_;
  std::unique_ptr<Plan> plan_;
  exec::Buffer<In> in_;
  exec::Buffer<Out> out_;
};

}  // namespace phpc::fft
