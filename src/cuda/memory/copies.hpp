#pragma once
#include <cstddef>

#include "phpc/cuda/runtime_types.hpp"

namespace phpc::cuda {

/// Rows of a box in memory: where the first begins, and how far apart rows and slices are, in bytes.
template <class Byte>
struct Rows {
  Byte* begin;
  std::size_t pitch;
  std::size_t slice;

  [[nodiscard]] Byte* row(std::size_t y, std::size_t z) const { return begin + z * slice + y * pitch; }
};

/// The size of a box: bytes of a row, rows of a slice, slices.
struct Box {
  std::size_t width;
  std::size_t height = 1;
  std::size_t depth = 1;
};

/// Copies a box in the order of a stream. Where the pointers point is looked up; `kind` is only checked. Waits if it is to, or
/// where one side is memory of the host that the library does not know, which a program may change as soon as the call returns.
void copy(const Rows<char>& to, const Rows<const char>& from, const Box& box, cudaMemcpyKind kind, cudaStream_t stream,
          bool wait);

/// Sets the bytes of a box.
void fill(const Rows<char>& to, const Box& box, int value, cudaStream_t stream, bool wait);

/// Bytes from the first of a box to the last, both included.
template <class Byte>
std::size_t span_of(const Rows<Byte>& rows, const Box& box) {
  return (box.depth - 1) * rows.slice + (box.height - 1) * rows.pitch + box.width;
}

}  // namespace phpc::cuda
