#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "phpc/core/progress.hpp"
#include "phpc/core/types.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/exec/queue.hpp"
#include "phpc/fft/array.hpp"
#include "phpc/fft/descriptor.hpp"

namespace phpc::fft {

/// A Descriptor made ready for one device: the passes over memory and their tables, built once and executed many times.
///
/// Lengths whose prime factors are at most 13 take one pass while a transform fits into a team's scratch, and two or three beyond
/// it, or where a GPU has faster kernels for two (Bailey, "FFTs in external or hierarchical memory", 1990); all others are done
/// as a convolution of a smooth length (Bluestein, "A linear filtering approach to the computation of the discrete Fourier
/// transform", 1970). The cost grows as n log n for every n.
///
/// Building allocates the tables and the work memory on the device: Error(memory), with what was asked for and what there is,
/// when they do not fit; Error(usage) for a descriptor that validate() refuses. On the host it takes microseconds for a short
/// length and grows with it (tens of milliseconds for a prime of a million); on a device about a millisecond at least.
class Plan {
 public:
  Plan(const Descriptor& descriptor, exec::Device device);
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  [[nodiscard]] const Descriptor& descriptor() const;
  [[nodiscard]] exec::Device device() const;
  /// Memory that the plan holds on its device: tables and work memory.
  [[nodiscard]] std::uint64_t device_bytes() const;
  /// What the plan does, in words for people: of each axis the passes over memory, the lengths and radices of their transforms,
  /// the kernels' teams, registers and scratch, and the bytes that a transform reads and writes at least.
  [[nodiscard]] std::string describe() const;

  /// Transforms the batch and waits for the result. `in` and `out` are memory of device(), of the forms that the descriptor names
  /// (real, or complex with that storage), else Error(usage); pointers convert:
  ///   plan.execute(complex_in, complex_out);  plan.execute(reals, spectrum);  plan.execute(spectrum, {real_parts,
  ///   imaginary_parts});
  /// They do not overlap, or are the same array: then all layouts are equal, or, of a real transform along one axis, line by line
  /// the real and the halved line begin at the same byte (cuFFT's and FFTW's padded layout), else Error(usage). Elements are
  /// aligned to their own size (complex ones to 8 or 16 bytes), as Complex<T> says. NaN and infinity pass through: they reach
  /// every element of their own transform and no other transform. Threads may share a plan; they take turns.
  void execute(const Array<const float>& in, const Array<float>& out) const;
  void execute(const Array<const double>& in, const Array<double>& out) const;

  /// The same for the first `batch` transforms only, 0 <= batch <= descriptor().batch.
  void execute(const Array<const float>& in, const Array<float>& out, index_t batch) const;
  void execute(const Array<const double>& in, const Array<double>& out, index_t batch) const;

  /// The same beside the calling thread, after what the queue (one of device()) was given before; errors come out of its wait().
  /// The plan and the arrays must live until then.
  void enqueue(exec::Queue& queue, Array<const float> in, Array<float> out) const;
  void enqueue(exec::Queue& queue, Array<const double> in, Array<double> out) const;

  /// The same for arrays in host memory: copies there and back, in parts whose copies overlap the transforms of other parts, so
  /// that the batch may be larger than the device's memory. Progress counts transforms (no begin or end).
  void execute_host(Array<const float> in, Array<float> out, Progress& progress = no_progress()) const;
  void execute_host(Array<const double> in, Array<double> out, Progress& progress = no_progress()) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace phpc::fft
