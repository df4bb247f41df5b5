#include <algorithm>
#include <memory>
#include <string>

#include "fft/device/lines.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

/// The part of an array that begins at its first element.
template <class Real>
Parts<Real> parts_of(const LineSide& side, Array<Real> array) {
  return {array.first(), side.second != 0 ? array.first() + side.second : array.second(), side.pitch};
}

template <class Real>
Parts<Real> parts_of(Complex<Real>* values) {
  auto* const first = reinterpret_cast<Real*>(values);
  return {first, first + 1, 2};
}

}  // namespace

template <class Real>
typename DeviceLines<Real>::Chunks DeviceLines<Real>::chunks_of(const std::vector<index_t>& counts) const {
  Chunks chunks{hidden_loops(counts.size()), 1};
  for (std::size_t index = chunks.loop + 1; index < counts.size(); ++index) {
    chunks.inside *= counts[index];
  }
  while (work_lines_ > 0 && chunks.inside > work_lines_) {
    chunks.inside /= counts[++chunks.loop];
  }
  return chunks;
}

template <class Real>
PassWindow DeviceLines<Real>::window_of(const Step& step, std::size_t chunk_loop, index_t chunk, index_t batch) const {
  const std::size_t count = loops_.loops.size();
  const std::size_t hidden = hidden_loops(count);
  const auto first = static_cast<int>(chunk_loop - hidden);
  const bool is_last_column = keeps_columns_ && chunk_loop + 1 == count;
  return {first, is_last_column ? step.pass.loop_count - 1 : first, chunk, batch};
}

template <class Real>
PassWindow DeviceLines<Real>::whole_window(const Step& step) const {
  std::vector<index_t> counts;
  counts.reserve(loops_.loops.size());
  for (const LineLoop& loop : loops_.loops) {
    counts.push_back(loop.count);
  }
  const std::size_t chunk_loop = chunks_of(counts).loop;
  return window_of(step, chunk_loop, counts[chunk_loop], counts[loops_.batch]);
}

template <class Real>
void DeviceLines<Real>::run(Array<const Real> from, Array<Real> to, index_t batch) const {
  std::vector<index_t> counts;
  index_t lines = 1;
  for (std::size_t index = 0; index < loops_.loops.size(); ++index) {
    counts.push_back(index == loops_.batch ? batch * loops_.per_batch : loops_.loops[index].count);
    lines *= counts.back();
  }
  if (lines == 0) {
    return;
  }
  if (needs_whole_ && !(problem_.from == Elements::real ? are_whole(parts_of(to_, to)) : are_whole(parts_of(from_, from)))) {
    if (at_any_place_ == nullptr) {
      at_any_place_ = std::make_unique<DeviceLines>(device_, problem_, false);
    }
    at_any_place_->run(from, to, batch);
    return;
  }
  // Loop `chunk_loop` is done in chunks, those within it wholly by the kernels, those around it here.
  const auto [chunk_loop, inside] = chunks_of(counts);
  const index_t chunk = work_lines_ > 0 ? std::min(counts[chunk_loop], work_lines_ / inside) : counts[chunk_loop];
  index_t around = 1;
  for (std::size_t index = 0; index < chunk_loop; ++index) {
    around *= counts[index];
  }
  const auto parts = [&](Place place) { return parts_of(place == Place::first_work ? first_work_.data() : second_work_.data()); };
  for (index_t outer = 0; outer < around; ++outer) {
    index_t from_offset = 0;
    index_t to_offset = 0;
    index_t rest = outer;
    for (std::size_t index = chunk_loop; index-- > 0;) {
      from_offset += rest % counts[index] * from_.distances[index];
      to_offset += rest % counts[index] * to_.distances[index];
      rest /= counts[index];
    }
    for (index_t done = 0; done < counts[chunk_loop]; done += chunk) {
      const index_t now = std::min(chunk, counts[chunk_loop] - done);
      const Parts<const Real> in = parts_of(from_, from).from(from_offset + done * from_.distances[chunk_loop]);
      const Parts<Real> out = parts_of(to_, to).from(to_offset + done * to_.distances[chunk_loop]);
      for (std::size_t index = 0; index < steps_.size(); ++index) {
        const Step& step = steps_[index];
        const PassWindow window = window_of(step, chunk_loop, now, batch * loops_.per_batch);
        const Parts<Real> target = step.to == Place::output ? out : parts(step.to);
        if (step.action == Action::r2c_postprocess) {
          launch_r2c_postprocess(device_, step.pass, passes_.data() + index, window, target);
          continue;
        }
        const Parts<Real> work = step.from == Place::input ? target : parts(step.from);
        const Parts<const Real> source = step.from == Place::input ? in : Parts<const Real>{work.first, work.second, work.pitch};
        if (step.short_reals.length > 0) {
          launch_short_reals(device_, step.short_reals,
                             ShortRealRows<Real>{source.first, target.first, now, from_.pitch * from_.distances[0],
                                                 to_.pitch * to_.distances[0], step.pass.store.scale});
          continue;
        }
        if (run_general(index, window, source, target)) {
          continue;
        }
        if (step.general.is_alone()) {
          fail(ErrorKind::usage,
               "too many transforms of length " + std::to_string(step.pass.length) + " for one call on this device");
        }
        launch_pass(device_, step.pass, passes_.data() + index, window, source, target);
      }
    }
  }
}

template <class Real>
std::uint64_t DeviceLines<Real>::device_bytes() const {
  return tables_.bytes() + static_cast<std::uint64_t>(first_work_.size() + second_work_.size()) * sizeof(Complex<Real>) +
         (at_any_place_ != nullptr ? at_any_place_->device_bytes() : 0);
}

template class DeviceLines<float>;
template class DeviceLines<double>;

}  // namespace phpc::fft
