#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fft/device/pass/pass.hpp"
#include "fft/device/pass_launch.hpp"
#include "fft/device/pass_tables.hpp"
#include "fft/device/short_reals/launch.hpp"
#include "fft/lines/line.hpp"
#include "fft/lines/line_loops.hpp"
#include "fft/math/chirp.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::fft {

/// How many of `count` loops over lines, the outermost ones, passes have no room for.
constexpr std::size_t hidden_loops(std::size_t count) {
  return count > max_line_loops ? count - max_line_loops : 0;
}

/// Whether a device transforms the boxes of a problem in one pass: a GPU where two of them fit into a multiprocessor.
template <class Real>
bool takes_box(exec::Device device, const LineProblem& problem);

/// Transforms along an axis, or along several that make a box, on a device, as passes over its memory. Real is float or double.
template <class Real>
class DeviceLines {
 public:
  /// Builds the passes, their tables and their work memory. Throws Error(memory) when these do not fit, Error(usage) for a length
  /// beyond what three passes can do. takes_real_passes: whether lines of real numbers may go by passes that need complex numbers
  /// aligned as a whole.
  DeviceLines(exec::Device device, const LineProblem& problem, bool takes_real_passes = true);

  /// Does the first `batch` of the problem's first loop, and all of the others. With has_work_memory(), one call at a time, until
  /// its launches are done.
  void run(Array<const Real> from, Array<Real> to, index_t batch) const;
  [[nodiscard]] bool has_work_memory() const { return work_lines_ > 0 || needs_whole_; }
  /// Bytes of tables and work memory on the device.
  [[nodiscard]] std::uint64_t device_bytes() const;
  /// Says which kernels the passes take, for the text of Plan::describe(), for arrays whose complex numbers are aligned as a
  /// whole; others go by the kernel for any device, and lines of real numbers by other passes.
  [[nodiscard]] std::string describe() const;

 private:
  enum class Place { input, output, first_work, second_work };
  enum class Action { transform, r2c_postprocess };
  struct Step {
    Place from;
    Place to;
    Action action;
    Pass<Real> pass;
    GeneralRows<Real> general{};  ///< where a GPU does the pass by these
    std::vector<index_t> box{};   ///< see LineProblem
    ShortReals<Real> short_reals{};
  };
  struct Ends;

  void add_lines(const LineProblem& problem);
  void add_box(const LineProblem& problem, const LoadHook<Real>& load, const StoreHook<Real>& store);
  void add_bluestein(Ends ends, index_t n);
  [[nodiscard]] double cost_of_made_kernels(const Ends& ends, index_t n) const;
  bool add_convolutions(Ends ends, index_t n);
  void add_long_convolution(const Ends& ends, index_t n, const LongConvolution& whole);
  void add_convolved_rows(index_t m, index_t k, const std::vector<Complex<double>>& spectrum);
  void add_fused_bluestein(const Ends& ends, index_t n, index_t padded);
  [[nodiscard]] bool are_plain_rows() const;
  [[nodiscard]] bool are_dense_rows(index_t n) const;
  [[nodiscard]] bool takes_general_rows(bool is_plain, index_t n) const;
  [[nodiscard]] bool takes_general_reals(const LineProblem& problem, index_t n) const;
  // Where there is no such kernel, these add nothing and return false.
  bool add_rader(index_t n, const LoadHook<Real>& load, const StoreHook<Real>& store);
  bool add_fused_four_step(PassForm form, index_t n, const LoadHook<Real>& load, const StoreHook<Real>& store);
  bool add_fused_four_step_bluestein(index_t n, const LoadHook<Real>& load, const StoreHook<Real>& store);
  int allocate_ring(Pass<Real>& pass, index_t n, int phases);
  [[nodiscard]] std::vector<index_t> real_passes(const LineProblem& problem) const;
  [[nodiscard]] bool are_usual_reals(const LineProblem& problem) const;
  bool add_short_reals(const LineProblem& problem, const Ends& ends);
  bool add_real_passes(const LineProblem& problem, const Ends& ends);
  bool add_real_convolution(const LineProblem& problem, const Ends& ends);
  void set_chirps(Pass<Real>& first, Pass<Real>& last, const Ends& ends, const ChirpExtents& part);
  void add_long_real_convolution(const LineProblem& problem, const Ends& ends, const LongConvolution& whole);
  void add_passes_from_reals(const LineProblem& problem, const Ends& ends, const std::vector<index_t>& lengths);
  void add_passes_to_reals(const LineProblem& problem, const Ends& ends, const std::vector<index_t>& lengths);
  [[nodiscard]] bool does_one_pass(const LineProblem& problem, const Ends& ends, index_t n) const;
  [[nodiscard]] std::vector<index_t> smooth_passes(const LineProblem& problem, const Ends& ends, index_t n) const;
  void add_smooth(const Ends& ends, index_t n, const std::vector<index_t>& lengths);
  void add_pass(const Ends& ends, index_t n, const std::vector<index_t>& lengths, std::size_t index);
  void take_general_rows(Step& step, const RowDistances& distances);
  void take_general_reals(Step& step, bool is_from_real, bool is_even);
  void take_general_pass(Step& step);
  [[nodiscard]] bool is_whole(const Step& step) const;
  void add_r2c_postprocess(const Ends& ends, index_t m);
  void add_loops(Pass<Real>& pass, const LineSide& from, const LineSide& to, std::initializer_list<PassLoop> within) const;
  void allocate_work(index_t n);
  [[nodiscard]] LineSide work_side(index_t n) const;
  [[nodiscard]] int row_width(index_t length) const;
  [[nodiscard]] int column_width(index_t length, index_t inner) const;
  /// The first loop that kernels do, in chunks where work memory bounds it, and how many lines lie within one iteration of it.
  struct Chunks {
    std::size_t loop;
    index_t inside;
  };
  [[nodiscard]] Chunks chunks_of(const std::vector<index_t>& counts) const;
  [[nodiscard]] index_t most_general_width() const;
  /// Runs all steps for `count` iterations of loop `chunk_loop`; both arrays begin with the first of them.
  void run_chunk(const Parts<const Real>& in, const Parts<Real>& out, std::size_t chunk_loop, index_t count, index_t batch) const;
  /// Runs this part of step `index`, one of transforms, by the kernel that was chosen for it.
  void run_transforms(std::size_t index, const PassWindow& window, const Parts<const Real>& in, const Parts<Real>& out) const;
  /// Does this part of a step by the general kernel for GPUs; false where that needs another one.
  [[nodiscard]] bool run_general(std::size_t index, const PassWindow& window, const Parts<const Real>& in,
                                 const Parts<Real>& out) const;
  void run_general_rows(const Step& step, const PassWindow& window, const Parts<const Real>& in, const Parts<Real>& out) const;
  /// The window of all lines, in the first chunk.
  [[nodiscard]] PassWindow whole_window(const Step& step) const;
  [[nodiscard]] PassWindow window_of(const Step& step, std::size_t chunk_loop, index_t chunk, index_t batch) const;

  exec::Device device_;
  index_t capacity_;  ///< elements of a team's largest tile
  LineLoops loops_;
  LineSide from_;
  LineSide to_;
  bool keeps_columns_;  ///< lines are neighbours in memory, and so they are in work memory
  bool takes_real_passes_;
  bool needs_whole_ = false;  ///< passes read or write the complex numbers of spectra as a whole, which have to be aligned so
  LineProblem problem_;
  /// The same lines without takes_real_passes, built at the first call with an array that is not aligned as needs_whole_ says.
  mutable std::unique_ptr<DeviceLines> at_any_place_;
  index_t work_lines_ = 0;  ///< lines that the work memory holds; 0 = none is needed
  LineSide work_;
  PassTables<Real> tables_;
  std::vector<Step> steps_;
  exec::Buffer<Pass<Real>> passes_;  ///< those of the steps, on the device
  mutable exec::Buffer<Complex<Real>> first_work_;
  mutable exec::Buffer<Complex<Real>> second_work_;
};

}  // namespace phpc::fft
