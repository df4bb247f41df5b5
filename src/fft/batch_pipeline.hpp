#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "phpc/core/progress.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/queue.hpp"

namespace phpc::fft {

/// An array in host memory as bytes, in one plane or, of planar numbers, in two. Item i of a batch lies within `item_bytes` from
/// i * distance_bytes on, in each plane.
struct PipelineArray {
  std::array<std::byte*, 2> planes{};
  std::size_t plane_count = 1;
  std::size_t distance_bytes = 0;
  std::size_t item_bytes = 0;

  /// Bytes that `count` items take.
  [[nodiscard]] std::size_t span(index_t count) const {
    return static_cast<std::size_t>(count - 1) * distance_bytes + item_bytes;
  }
};

/// How a batch goes through a device.
struct PipelineShape {
  index_t batch;
  index_t part;         ///< items that go through the device at a time
  bool is_in_place;     ///< on the device: the same buffers hold what goes in and what comes out
  bool keeps_out_gaps;  ///< bytes of `out` between its elements stay as they are
};

/// Takes the batch through `device` part by part: copies a part there, calls work(in_planes, out_planes, count) on it, copies it
/// back. Two sets of buffers take turns, so that the copies of one part overlap the work on another; `work` is called from two
/// threads. `in` and `out` are the same array or do not overlap; nothing is written to `in`'s.
template <class Work>
void pipeline_batch(exec::Device device, const PipelineShape& shape, const PipelineArray& in, const PipelineArray& out,
                    const Work& work, Progress& progress) {
  using Planes = std::array<std::byte*, 2>;
  struct BufferSet {
    BufferSet(exec::Device on, std::size_t in_bytes, std::size_t out_bytes) : queue(on) {
      source = exec::Buffer<std::byte>(on, static_cast<index_t>(in_bytes));
      target = exec::Buffer<std::byte>(on, static_cast<index_t>(out_bytes));
    }
    exec::Buffer<std::byte> source;
    exec::Buffer<std::byte> target;
    exec::Queue queue;  // after the buffers: its destructor waits for work that uses them
    index_t items = 0;
  };
  if (shape.batch == 0) {
    return;
  }
  const auto finish = [&progress](BufferSet& set) {
    set.queue.wait();
    progress.advance(static_cast<std::uint64_t>(std::exchange(set.items, 0)));
  };
  // Planes begin at whole cache lines.
  const auto padded = [](std::size_t bytes) { return (bytes + 255) / 256 * 256; };
  const index_t part = std::min(shape.part, shape.batch);
  const std::size_t in_plane = padded(in.span(part));
  const std::size_t out_plane = padded(out.span(part));
  const std::size_t in_bytes = in_plane * in.plane_count;
  const std::size_t out_bytes = shape.is_in_place ? 0 : out_plane * out.plane_count;
  const auto planes_of = [](exec::Buffer<std::byte>& buffer, std::size_t plane) {
    return Planes{buffer.data(), buffer.data() + plane};
  };
  BufferSet first(device, in_bytes, out_bytes);
  std::optional<BufferSet> second;
  if (part < shape.batch) {
    second.emplace(device, in_bytes, out_bytes);
  }
  BufferSet* now = &first;
  BufferSet* other = second ? &*second : &first;
  for (index_t done = 0; done < shape.batch; done += part) {
    finish(*now);
    now->items = std::min(part, shape.batch - done);
    now->queue.enqueue([&, set = now, done] {
      const Planes sources = planes_of(set->source, in_plane);
      const Planes targets = shape.is_in_place ? sources : planes_of(set->target, out_plane);
      const auto offset = static_cast<std::size_t>(done);
      for (std::size_t plane = 0; plane < in.plane_count; ++plane) {
        exec::copy_bytes(device, sources[plane], exec::Device::host(), in.planes[plane] + offset * in.distance_bytes,
                         in.span(set->items));
      }
      for (std::size_t plane = 0; shape.keeps_out_gaps && plane < out.plane_count; ++plane) {
        exec::copy_bytes(device, targets[plane], exec::Device::host(), out.planes[plane] + offset * out.distance_bytes,
                         out.span(set->items));
      }
      work(sources, targets, set->items);
      for (std::size_t plane = 0; plane < out.plane_count; ++plane) {
        exec::copy_bytes(exec::Device::host(), out.planes[plane] + offset * out.distance_bytes, device, targets[plane],
                         out.span(set->items));
      }
    });
    std::swap(now, other);
  }
  finish(*now);  // holds the older part
  finish(*other);
}

}  // namespace phpc::fft
