#pragma once
#include <algorithm>
#include <optional>
#include <utility>

#include "phpc/core/progress.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/queue.hpp"

namespace phpc::fft {

/// A batch of `batch` items of `length` elements in host memory, and how many items go through the device at a time.
struct StreamShape {
  index_t length;
  index_t batch;
  index_t part;
};

/// Takes the batch through `device` part by part: copies a part there, calls work(elements, count) on it in place, copies it
/// back. Two buffers take turns, so that the copies of one part overlap the work on another; `work` is called from two threads.
/// `in` and `out` are the same array or do not overlap.
template <class Value, class Work>
void stream_batch(exec::Device device, const StreamShape& shape, const Value* in, Value* out, const Work& work,
                  Progress& progress) {
  struct Lane {
    Lane(exec::Device on, index_t elements) : buffer(on, elements), queue(on) {}
    exec::Buffer<Value> buffer;
    exec::Queue queue;  // after the buffer: its destructor waits for work that uses the buffer
    index_t items = 0;
  };
  if (shape.batch == 0) {
    return;
  }
  const auto finish = [&progress](Lane& lane) {
    lane.queue.wait();
    progress.advance(static_cast<std::uint64_t>(std::exchange(lane.items, 0)));
  };
  const index_t part = std::min(shape.part, shape.batch);
  Lane first(device, part * shape.length);
  std::optional<Lane> second;
  if (part < shape.batch) {
    second.emplace(device, part * shape.length);
  }
  Lane* now = &first;
  Lane* other = second ? &*second : &first;
  for (index_t done = 0; done < shape.batch; done += part) {
    finish(*now);
    now->items = std::min(part, shape.batch - done);
    const auto elements = static_cast<std::size_t>(now->items * shape.length);
    now->queue.enqueue([&work, lane = now, elements, from = in + done * shape.length, to = out + done * shape.length] {
      lane->buffer.copy_from({from, elements});
      work(lane->buffer.data(), lane->items);
      lane->buffer.copy_to({to, elements});
    });
    std::swap(now, other);
  }
  finish(*now);  // holds the older part
  finish(*other);
}

}  // namespace phpc::fft
