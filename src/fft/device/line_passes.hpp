#pragma once
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <vector>

#include "fft/device/fixed/launch.hpp"
#include "fft/device/pass/pass.hpp"
#include "fft/device/pass_tables.hpp"
#include "fft/device/register_rows/launch.hpp"
#include "fft/device/short_reals/launch.hpp"
#include "fft/lines/line.hpp"
#include "fft/lines/line_loops.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::fft {

/// How many of `count` loops over lines, the outermost ones, passes have no room for.
constexpr std::size_t hidden_loops(std::size_t count) {
  return count > max_line_loops ? count - max_line_loops : 0;
}

/// An array that a pass reads or writes: one of a call, or work memory.
enum class Place { input, output, first_work, second_work };

/// A pass with the arrays that it goes between and, on a GPU, the kernel that was chosen for it.
template <class Real>
struct LineStep {
  Place from;
  Place to;
  Pass<Real> pass;
  bool is_r2c_postprocess = false;  ///< no transforms: see launch_r2c_postprocess
  FixedKernel<Real> fixed{};        ///< where a kernel of the pass's length does it
  GeneralRows<Real> general{};      ///< where the general kernel does the pass
  std::vector<index_t> box{};       ///< see LineProblem
  ShortReals<Real> short_reals{};   ///< where the kernel of short odd lines does the pass
  RegisterRows register_rows{};     ///< where rows in registers are the faster way; arrays that are not whole go by the others
};

/// What the first pass of a transform reads and the last one writes.
template <class Real>
struct LineEnds {
  Place from;
  Place to;
  LineSide from_side;
  LineSide to_side;
  LoadHook<Real> load{};
  StoreHook<Real> store{};
  /// See StoreHook: for the pass that holds whole lines, or else a step behind the last pass. nullptr: no r2c postprocessing.
  const Complex<Real>* r2c_roots = nullptr;
  /// Both sides are interleaved complex numbers, which are aligned so that kernels of a length can read them as a whole; real
  /// numbers need not be.
  bool is_plain = false;
  bool is_real = false;  ///< one side is of real numbers, the other of half spectra, without factors or counts
  bool takes_general_reals = false;
};

/// The passes that transform the lines of a problem on a device, one after the other, with their tables and work memory.
/// DeviceLines chooses and runs them; smooth_passes.hpp and its like add them.
template <class Real>
struct LinePasses {
  /// Without any pass yet.
  LinePasses(exec::Device on, const LineProblem& of, bool may_take_real_passes);

  /// Adds a pass, with the kernel of its length where that does it. Work memory was allocated before.
  LineStep<Real>& add(Place source, Place target, const Pass<Real>& pass);
  /// Adds a pass over whole lines from the input to the output.
  LineStep<Real>& add_whole(Pass<Real> pass, const LineEnds<Real>& ends);
  /// Adds the loops over lines to a pass, and those within a line: outside of the last one where lines are neighbours.
  void add_loops(Pass<Real>& pass, const LineSide& source, const LineSide& target, std::initializer_list<PassLoop> within) const;
  /// Allocates work memory for lines of n elements, as many as it may hold.
  void allocate_work(index_t n);
  /// Lets the general kernel do a pass that no kernel of its length can do.
  void take_general_pass(LineStep<Real>& step);

  /// Returns how many lines the innermost loop counts.
  [[nodiscard]] index_t neighbours() const { return loops.loops.back().count; }
  /// Returns how many whole transforms in a row a team takes: a full tile, unless a small batch would then leave processors
  /// without a team.
  [[nodiscard]] int row_width(index_t length) const;
  /// Returns how many transforms side by side a team takes: the usual tile where it takes whole lines of memory, else as much
  /// scratch as that needs.
  [[nodiscard]] int column_width(index_t length, index_t inner) const;
  /// Returns the most transforms of a team that leave two teams for every multiprocessor.
  [[nodiscard]] index_t most_general_width() const;

  /// The first loop that kernels do, in chunks where work memory bounds it, and how many lines lie within one iteration of it.
  struct Chunks {
    std::size_t loop;
    index_t inside;
  };
  /// Returns these for so many iterations of each loop.
  [[nodiscard]] Chunks chunks_of(const std::vector<index_t>& counts) const;
  /// Returns the part of a pass that does `chunk` iterations of loop `chunk_loop`.
  [[nodiscard]] PassWindow window_of(const LineStep<Real>& step, std::size_t chunk_loop, index_t chunk, index_t batch) const;
  /// Returns the window of all lines, in the first chunk.
  [[nodiscard]] PassWindow whole_window(const LineStep<Real>& step) const;
  /// Whether a step reads and writes interleaved complex numbers, which plans' arrays have at whole places but for odd ones.
  [[nodiscard]] bool is_whole(const LineStep<Real>& step) const;
  /// Bytes of tables and work memory on the device.
  [[nodiscard]] std::uint64_t device_bytes() const;

  exec::Device device;
  LineProblem problem;
  index_t capacity;  ///< elements of a team's largest tile
  LineLoops loops;
  LineSide from;
  LineSide to;
  bool keeps_columns;      ///< lines are neighbours in memory, and so they are in work memory
  bool takes_real_passes;  ///< lines of real numbers may go by passes that need complex numbers aligned as a whole
  /// Passes read or write the complex numbers of an array, or its pairs of real ones, as a whole, which have to be aligned so.
  bool needs_whole_from = false;
  bool needs_whole_to = false;
  index_t work_lines = 0;  ///< lines that the work memory holds; 0 = none is needed
  LineSide work;
  PassTables<Real> tables;
  std::vector<LineStep<Real>> steps;
  mutable exec::Buffer<Complex<Real>> first_work;  ///< which passes write
  mutable exec::Buffer<Complex<Real>> second_work;
};

/// Returns the form of a pass over whole lines from or to real numbers.
inline PassForm real_rows_form(const LineProblem& problem) {
  return problem.from == Elements::real ? PassForm::rows_from_real : PassForm::rows_to_real;
}

/// Whether lines lie side by side: neighbours in memory are elements of different lines.
inline bool lie_side_by_side(const LineSide& side) {
  return side.distances.back() < side.stride;
}

/// Returns how lines lie side by side on either side; no neighbours where they do not.
inline ColumnPlaces column_places(const LineSide& from, const LineSide& to, index_t neighbours) {
  const index_t step = std::gcd(lie_side_by_side(from) ? from.stride : 0, lie_side_by_side(to) ? to.stride : 0);
  return step > 0 ? ColumnPlaces{neighbours, step} : ColumnPlaces{};
}

}  // namespace phpc::fft
