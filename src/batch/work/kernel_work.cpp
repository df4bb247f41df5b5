#include "batch/work/kernel_work.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace phpc::batch {

namespace {

constexpr double index_bytes = 4;
constexpr int gpu_subgroup = 32;  // lanes, of the GPUs that kernels in registers are for

/// Reads of b and x, and the writing of x, where other vectors are in registers: x is read as a guess twice and written once.
double vectors_in_memory(const KernelSystem& system, const SolveCounts& counts) {
  return counts.rhs + 3 * static_cast<double>(system.rows);
}

}  // namespace

Work lanes_work(const KernelSystem& system, const SolveCounts& counts, int lanes) {
  const double copies = static_cast<double>(system.set_values + system.entries + 6 * system.rows);
  const double elements = std::accumulate(counts.vectors.begin(), counts.vectors.end(), 0.0) + counts.preparation + counts.work +
                          counts.matrix + counts.rhs + counts.solution;
  return {.flops = counts.flops,
          .cache_bytes = static_cast<double>(system.value_bytes) * (copies + elements) + index_bytes * counts.indices / lanes};
}

Work teams_work(const KernelSystem& system, const SolveCounts& counts, const Placement& placement, bool on_gpu) {
  double scratch = 0;
  double cache = counts.rhs + counts.solution;
  for (std::size_t k = 0; k < counts.vectors.size(); ++k) {
    (k < static_cast<std::size_t>(placement.vectors_in_scratch) ? scratch : cache) += counts.vectors[k];
  }
  (placement.preconditioner == Memory::scratch ? scratch : cache) += counts.preparation + counts.work;
  if (placement.matrix == Memory::scratch) {
    cache += static_cast<double>(system.set_values);
    scratch += static_cast<double>(system.set_values) + counts.matrix;
  } else {
    cache += counts.matrix;
  }
  const auto bytes = static_cast<double>(system.value_bytes);
  Work work{.flops = counts.flops, .cache_bytes = bytes * cache + index_bytes * counts.indices, .scratch_bytes = bytes * scratch};
  if (!on_gpu) {
    work.cache_bytes += work.scratch_bytes;
    work.scratch_bytes = 0;
  }
  return work;
}

Work registers_work(const KernelSystem& system, const SolveCounts& counts, const RegisterShape& shape) {
  const auto bytes = static_cast<double>(system.value_bytes);
  const auto rows = static_cast<double>(system.rows);
  const auto entries = static_cast<double>(system.entries);
  const bool is_dense = shape.storage == RowStorage::dense;
  const int subgroups = (shape.threads + gpu_subgroup - 1) / gpu_subgroup;
  const double operands = is_dense ? static_cast<double>(subgroups * shape.slots) : entries;
  const bool has_diagonal = counts.preparation > 0;
  const double sources = static_cast<double>(shape.slots) * shape.rows() + (has_diagonal ? rows : 0);
  const double staged = 2 * entries + (has_diagonal ? rows : 0);
  return {.flops = counts.flops,
          .cache_bytes = bytes * (entries + vectors_in_memory(system, counts)) + index_bytes * sources,
          .scratch_bytes = bytes * (staged + counts.products * (rows + operands))};
}

namespace {

/// Entries of a slice layout by where they lie.
struct SliceEntries {
  double diagonals = 0;  ///< in registers, whose operands are there too
  double tails = 0;      ///< in memory
};
SliceEntries entries_of(const SliceLayout& layout) {
  SliceEntries found;
  for (const SlicePosition& position : layout.positions) {
    found.diagonals += position.has_diagonal() ? 1 : 0;
    found.tails += position.end - position.tail;
  }
  return found;
}

}  // namespace

Work slices_work(const KernelSystem& system, const SolveCounts& counts, const SliceLayout& layout, std::size_t stored_bytes) {
  constexpr double column_bytes = 2;
  const auto bytes = static_cast<double>(system.value_bytes);
  const auto stored = static_cast<double>(stored_bytes);
  const auto entries = static_cast<double>(system.entries);
  const auto rows = static_cast<double>(system.rows);
  const SliceEntries of = entries_of(layout);
  const double in_scratch = layout.scratch_values();
  const double held = entries - of.tails;
  const int passes = in_scratch > 0 ? 2 : 1;  // over the values, for registers and for scratch
  Work work{.flops = counts.flops};
  if (layout.shape.slots > 0) {
    work.cache_bytes =
        passes * entries * column_bytes + entries * stored + static_cast<double>(layout.register_columns.size()) * index_bytes;
    work.scratch_bytes = bytes * 2 * held;
  }
  work.cache_bytes += counts.preparation > 0 ? rows * (stored + index_bytes) : 0;
  work.cache_bytes +=
      (counts.rhs > 0 ? stored * vectors_in_memory(system, counts) : 0) + index_bytes * (counts.rhs + counts.solution);
  const double operands = static_cast<double>(layout.shape.positions()) + entries - of.diagonals;
  work.scratch_bytes += counts.products * bytes * (operands + in_scratch);
  work.cache_bytes +=
      counts.products * (of.tails * (stored + column_bytes) + static_cast<double>(layout.scratch_columns.size()) * index_bytes);
  return work;
}

Work around_slices_work(const KernelSystem& system, const SolveCounts& counts, const SliceLayout& layout) {
  constexpr double column_bytes = 2;
  const auto bytes = static_cast<double>(system.value_bytes);
  const auto entries = static_cast<double>(system.entries);
  return {.flops = counts.flops,
          .cache_bytes = bytes * vectors_in_memory(system, counts) + counts.products * entries * (bytes + column_bytes) +
                         index_bytes * (counts.rhs + counts.solution),
          .scratch_bytes = counts.products * bytes * (static_cast<double>(layout.shape.positions()) + entries)};
}

Work register_lu_work(const KernelSystem& system, const SolveCounts& counts, const RegisterShape& shape, index_t cycles) {
  constexpr int step_width = 8;  // RegisterLu's rows become shorter by so many columns
  const auto bytes = static_cast<double>(system.value_bytes);
  const auto n = static_cast<double>(system.rows);
  const auto entries = static_cast<double>(system.entries);
  const auto of = static_cast<double>(cycles);
  const int subgroups = (shape.threads + gpu_subgroup - 1) / gpu_subgroup;
  double eliminated = 0;  // a pivot's row, which one thread writes and all threads read
  for (int step = 0; step < system.rows; ++step) {
    const int moved = shape.slots - step / step_width * step_width;
    eliminated += static_cast<double>(1 + subgroups) * (moved + 1);
  }
  const double substituted = n * (n + 1) / 2 + n;
  const double sources = static_cast<double>(shape.slots) * shape.rows();
  const double product = n + static_cast<double>(subgroups * shape.slots) + entries;
  return {.flops = counts.flops,
          .cache_bytes = bytes * (entries + vectors_in_memory(system, counts)) + index_bytes * sources * (of + counts.products),
          .scratch_bytes = bytes * (entries + of * (entries + eliminated + substituted) + counts.products * product)};
}

Work block_lu_work(const KernelSystem& system, const SolveCounts& counts, const RegisterShape& shape, index_t columns,
                   index_t cycles) {
  const bool has_tiles_of_matrix_units = system.value_bytes == sizeof(double);  // BlockUpdate's
  const double tile_rows = has_tiles_of_matrix_units ? 16 : 8;                  // whose lanes share elements of L and of U
  const double tile_columns = has_tiles_of_matrix_units ? 32 : 64;
  const bool has_all_elements = system.entries == system.rows * system.rows;  // so that no indices are read
  const bool in_parts = shape.storage == RowStorage::blocks_in_global;
  const auto bytes = static_cast<double>(system.value_bytes);
  const auto n = static_cast<double>(system.rows);
  const auto of = static_cast<double>(cycles);
  const auto width = static_cast<double>(shape.slots);
  double elements = n * n + static_cast<double>(system.entries);  // of the matrix, in scratch
  double factors = 0;                                             // of L and U of the panel
  double global = 0;                                              // of factors, in global memory
  for (index_t first = 0; first < system.rows; first += shape.slots) {
    const double below = n - static_cast<double>(first);
    const double right = below > width ? below - width : 0;
    const index_t parts_on = (system.rows - 1) / columns - first / columns;  // to which the panel is applied later
    elements += 2 * below * width + 2 * right * right + static_cast<double>(parts_on) * below * width;
    elements += (in_parts ? 2 : 4) * width * (n - width);
    factors += right * right * width * (tile_rows + tile_columns) / (tile_rows * tile_columns);
    global += static_cast<double>(parts_on) * below * width;
  }
  if (in_parts) {
    elements += n * n + of * n * n;  // copied to global memory, and back in each cycle
    global += n * n + of * n * n;
  }
  elements += of * n * n;
  const double vectors = counts.vectors[0] + counts.vectors[1];
  return {.flops = counts.flops,
          .cache_bytes = bytes * (static_cast<double>(system.entries) + counts.matrix + counts.rhs + counts.solution + global) +
                         (has_all_elements ? 0 : index_bytes * (static_cast<double>(system.entries) + counts.indices)),
          .scratch_bytes = bytes * (vectors + factors + elements)};
}

namespace {

/// Operations of one elimination: of each thread that of its inner rows, their reduction to its last unknown and the one before
/// it, its last row; then cyclic reduction; then whether unknowns are finite is summed.
double chunk_flops(index_t rows, int rows_of_a_thread) {
  const double inner = rows_of_a_thread - 1;
  const auto threads = static_cast<double>(ceil_div(rows, index_t{rows_of_a_thread}));
  const double own = 9 * inner - 1 + 5 * (inner - 1) + 10 + 4 + 4 * inner;
  return threads * (own + 14 * std::ceil(std::log2(threads))) + static_cast<double>(rows);
}

/// Values that threads of several sub-groups show to one another for a product: the ends of their chunks, and the two beside
/// them.
double ends_of_chunks(const RegisterShape& shape) {
  return shape.threads > gpu_subgroup ? 4.0 * shape.threads : 0;
}

}  // namespace

Work chunks_work(const KernelSystem& system, const SolveCounts& counts, const RegisterShape& shape, index_t eliminations) {
  const auto bytes = static_cast<double>(system.value_bytes);
  const auto rows = static_cast<double>(system.rows);
  const auto entries = static_cast<double>(system.entries);
  const auto of = static_cast<double>(eliminations);
  const double threads = shape.threads;
  double shown = 0;  // for an elimination, by threads of several sub-groups to one another
  if (shape.threads > gpu_subgroup) {
    shown = 2 * 3 * threads + 2 * threads;
    for (int stride = 1; stride < shape.threads; stride *= 2) {
      shown += 3 * 3 * threads;
    }
  }
  const double once = entries + 3 * rows;  // in, and x out
  const double diagonal = counts.preparation > 0 ? rows : 0;
  return {.flops = counts.flops + of * chunk_flops(system.rows, shape.rows_of_a_thread),
          .cache_bytes = bytes * once,
          .scratch_bytes = bytes * (once + diagonal + of * (entries + shown) +
                                    counts.products * (entries + ends_of_chunks(shape)) + vectors_in_memory(system, counts))};
}

Work chunk_cycles_work(const KernelSystem& system, const SolveCounts& counts, const RegisterShape& shape, index_t cycles,
                       std::size_t stored_bytes) {
  const auto rows = static_cast<double>(system.rows);
  const auto of = static_cast<double>(cycles);
  const double further = std::max(of - 1, 0.0);  // than the first
  const double stored = of * static_cast<double>(system.entries) + 2 * further * rows;
  return {.flops = counts.flops + (counts.preparation > 0 ? further * rows : 0),
          .scratch_bytes = stored * static_cast<double>(stored_bytes) +
                           counts.products * ends_of_chunks(shape) * static_cast<double>(system.value_bytes)};
}

}  // namespace phpc::batch
