#include "batch/slices/slice_plan.hpp"

#include <algorithm>

#include "batch/slices/slice_kernel.hpp"
#include "batch/slices/slice_shapes.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::batch {

namespace {

constexpr int subgroup_lanes = 32;           // of the GPUs that there are shapes for
constexpr std::size_t team_overhead = 1024;  // bytes of scratch that the hardware keeps for each team
constexpr std::size_t most_teams = 32;       // of a multiprocessor

/// A model of what a product and the sums beside it cost a multiprocessor, in turns of its scratch, which serves 128 bytes a turn
/// and is what limits the kernels. It counts operands (a turn for each request, more where two of its lanes use one bank), values
/// in scratch and the words of their columns, and what each sub-group repeats; further what a team waits for, divided by the
/// teams of a multiprocessor: barriers, exchanges, divisions, and one batch of eight values in scratch after another. The model
/// puts the shapes that were measured (H100, f64 and f32, random rows of 3 to 30 entries, bands, stencils of 3 to 9 points, 64 to
/// 1024 rows) in the order of their times, but for some whose times differ by less than a tenth.
double cost_of(const SliceChoice& choice, std::size_t all_scratch, std::size_t value_bytes) {
  constexpr double turn_bytes = 128;
  constexpr double of_a_subgroup = 80;
  constexpr double waiting = 1500;
  constexpr double waiting_for_values = 700;
  constexpr double memory_bytes = 16;  // that come from beyond a multiprocessor in a turn
  constexpr std::size_t all_registers_of_threads = 65536;
  const SliceLayout& layout = choice.layout;
  const int subgroups = layout.shape.threads / subgroup_lanes;
  const auto teams = std::min({all_registers_of_threads / static_cast<std::size_t>(layout.shape.threads * choice.registers),
                               (all_scratch + team_overhead) / (choice.scratch_bytes + team_overhead), most_teams});
  double tails = 0;
  for (const SlicePosition& position : layout.positions) {
    tails += position.end - position.tail;
  }
  int batches = 0;  // of all sub-groups
  for (std::size_t slice = 0; slice + 1 < layout.slices.size(); ++slice) {
    batches += (layout.slices[slice + 1] - layout.slices[slice] + 7) / 8;
  }
  const double entry_bytes = static_cast<double>(value_bytes) + 2;
  return layout.cost + layout.scratch_values() * entry_bytes / turn_bytes + tails * entry_bytes / memory_bytes +
         of_a_subgroup * subgroups +
         (waiting + waiting_for_values * batches / subgroups) / static_cast<double>(std::max<std::size_t>(teams, 1));
}

}  // namespace

template <class T>
std::optional<SliceChoice> slice_choice(exec::DeviceKind kind, std::size_t all_scratch, const CsrPattern& pattern,
                                        const Options& options) {
  const bool krylov = options.solver == "cg" || options.solver == "bicgstab";
  const bool simple = options.preconditioner == "jacobi" || options.preconditioner == "none";
  if (kind != exec::DeviceKind::nvidia || !krylov || !simple || options.team_size != 0 || options.scratch_limit != 0 ||
      options.scaling != Scaling::none) {
    return std::nullopt;
  }
  const bool of_floats = sizeof(T) == sizeof(float) || options.inner_precision == Precision::f32;
  const std::size_t value_bytes = of_floats ? sizeof(float) : sizeof(double);
  std::optional<SliceChoice> best;
  for_each_slice_row([&](auto row) {
    const index_t unit = row.rows * subgroup_lanes;
    const index_t threads = (pattern.rows() + unit - 1) / unit * subgroup_lanes;
    if (threads > row.most_threads || (of_floats && row.use != SliceUse::any) ||
        (row.tails && best && !best->layout.shape.tails)) {
      return;
    }
    const SliceShape shape{row.rows, row.slots, static_cast<int>(threads), row.tails};
    const std::size_t least = slice_scratch_bytes(shape, shape.slots + 1, 0, subgroup_lanes, value_bytes, sizeof(T));
    const std::size_t fixed = slice_scratch_bytes(shape, 0, 0, subgroup_lanes, value_bytes, sizeof(T));
    if (least > all_scratch) {
      return;
    }
    const auto room = static_cast<std::int32_t>((all_scratch - fixed) / value_bytes);
    SliceChoice choice{slice_layout(pattern, shape, subgroup_lanes, value_bytes, room)};
    if (choice.layout.tail_shift >= 0 && !row.tails) {
      return;
    }
    choice.scratch_bytes = slice_scratch_bytes(choice.layout, value_bytes, sizeof(T));
    choice.registers = row.registers;
    choice.layout.cost = cost_of(choice, all_scratch, value_bytes);
    if (!best || choice.layout.cost < best->layout.cost) {
      best = std::move(choice);
    }
  });
  return best;
}

std::string SliceChoice::described() const {
  const SliceShape& shape = layout.shape;
  std::int64_t in_memory = 0;
  for (const SlicePosition& position : layout.positions) {
    in_memory += position.end - position.tail;
  }
  std::string text = "a team of " + std::to_string(shape.threads) +
                     " a system, vectors in registers: " + std::to_string(shape.rows_of_a_thread) + " rows a thread with up to " +
                     std::to_string(shape.slots) + " entries each in registers, " + std::to_string(layout.scratch_values()) +
                     " in scratch";
  if (in_memory > 0) {
    text += " and " + std::to_string(in_memory) + " in global memory";
  }
  return text + "; " + format_bytes(scratch_bytes) + " of scratch, at most " + std::to_string(registers) + " registers a thread";
}

SlicePlan::SlicePlan(exec::Device device, const SliceChoice& choice)
    : shape_(choice.layout.shape),
      scratch_bytes_(choice.scratch_bytes),
      registers_(choice.registers),
      tables_{},
      positions_(device, std::span(choice.layout.positions)),
      register_columns_(device, std::span(choice.layout.register_columns)),
      slices_(device, std::span(choice.layout.slices)),
      scratch_columns_(device, std::span(choice.layout.scratch_columns)),
      places_(device, std::span(choice.layout.places)),
      columns_(device, std::span(choice.layout.columns)),
      pads_(device, std::span(choice.layout.pads)) {
  tables_ = {positions_.data(),
             register_columns_.data(),
             slices_.data(),
             scratch_columns_.data(),
             places_.data(),
             columns_.data(),
             pads_.data(),
             static_cast<std::int32_t>(choice.layout.pads.size()),
             choice.layout.slices.back(),
             choice.layout.staged_slots,
             choice.layout.tail_shift,
             choice.layout.row_shift};
}

template std::optional<SliceChoice> slice_choice<float>(exec::DeviceKind, std::size_t, const CsrPattern&, const Options&);
template std::optional<SliceChoice> slice_choice<double>(exec::DeviceKind, std::size_t, const CsrPattern&, const Options&);

}  // namespace phpc::batch
