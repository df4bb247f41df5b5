#include "phpc/batch/plan.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "batch/blas/permute.hpp"
#include "batch/direct/block_layout.hpp"
#include "batch/math/value.hpp"
#include "batch/plan/dispatch.hpp"
#include "batch/plan/plan_choices.hpp"
#include "batch/plan/value_reading.hpp"
#include "batch/registers/register_shapes.hpp"
#include "batch/slices/slice_plan.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

/// The pattern by columns: their offsets (rows + 1), then the entries, then the rows of the entries.
std::vector<std::int32_t> columns_of(const CsrPattern& pattern) {
  const TransposedPattern by_columns = transposed(pattern);
  std::vector<std::int32_t> tables = by_columns.pattern.row_offsets;
  tables.insert(tables.end(), by_columns.order.begin(), by_columns.order.end());
  tables.insert(tables.end(), by_columns.pattern.columns.begin(), by_columns.pattern.columns.end());
  return tables;
}

}  // namespace

/// How the systems of a plan lie in registers, with tables on the device of where each value comes from.
template <class T>
class Plan<T>::Registers {
 public:
  Registers(exec::Device device, const CsrPattern& pattern, const InRegisters& chosen, const ValueReading& reading,
            index_t systems) {
    if (chosen.shape) {
      shape = *chosen.shape;
      std::vector<SlotSource> own = slot_sources(pattern, shape);
      own = reading.in_registers ? stored_sources(std::move(own), reading.stored) : std::move(own);
      sources = exec::Buffer<SlotSource>(device, std::span<const SlotSource>(own));
      if (is_blocks(shape)) {
        const BlockLayout layout{shape, sizeof(T)};
        columns = static_cast<int>(chosen.columns);
        team_bytes = layout.workspace_bytes(pattern.rows());
        teams =
            layout.is_global() ? std::min<index_t>(systems, std::max(1, device.properties().compute_units) * layout.teams()) : 0;
      }
    } else {
      slices.emplace(device, reading.in_registers ? stored_slices(*chosen.slices, reading.stored) : *chosen.slices);
    }
  }

  RegisterShape shape{};
  int columns = 0;             ///< RegisterJob::columns
  std::size_t team_bytes = 0;  ///< global memory of a team
  index_t teams = 0;           ///< with such memory; 0 = a team for each system, without it
  exec::Buffer<SlotSource> sources;
  std::optional<SlicePlan> slices;
};

/// Makes the jobs of kernels of a plan and the arrays that it is executed on.
template <class T>
struct Plan<T>::Jobs {
  const Plan& plan;

  /// The part that all jobs have. `entries` are those of the pattern or, of kernels that read values as they are stored, the
  /// values of a set.
  SystemsJob<T> systems_job(const DeviceArrays<T>& arrays, index_t entries) const {
    return {.matrix = {.systems = arrays.solves,
                       .value_sets = arrays.value_sets,
                       .first_set = arrays.first_set,
                       .rows = static_cast<std::int32_t>(plan.row_offsets_.size() - 1),
                       .entries = static_cast<std::int32_t>(entries),
                       .row_offsets = plan.row_offsets_.data(),
                       .columns = plan.columns_.data(),
                       .values = arrays.values,
                       .repeat = static_cast<std::int32_t>(plan.options_.rhs_per_system),
                       .first_repeat = static_cast<std::int32_t>(arrays.first_rhs)},
            .rhs = arrays.rhs,
            .x = arrays.x,
            .reports = arrays.reports,
            .tolerances = arrays.tolerances,
            .stop = {.tolerance = plan.options_.tolerance,
                     .kind = plan.options_.tolerance_kind,
                     .max_iterations = static_cast<std::int32_t>(plan.options_.max_iterations)}};
  }

  SolveExtras extras_of(const DeviceArrays<T>& arrays) const {
    SolveExtras extras;
    extras.history = arrays.history;
    extras.value_places = plan.loads_in_order_ ? plan.order_.data() : nullptr;
    extras.conjugates = plan.loads_in_order_ && plan.options_.operation == Operation::adjoint;
    if (plan.loads_in_order_ || plan.memory_reads_storage_) {
      extras.stored = {plan.loads_in_order_ ? Storage::csr : plan.options_.storage, static_cast<std::int32_t>(plan.set_values_),
                       plan.stored_columns_.data()};
    }
    extras.scaling.kind = scaling_kind(plan.options_);
    if (extras.scaling.kind == ScalingRule::Kind::equilibrate) {
      extras.scaling.column_offsets = plan.by_columns_.data();
      extras.scaling.column_entries = plan.by_columns_.data() + plan.row_offsets_.size();
      extras.scaling.entry_rows = extras.scaling.column_entries + plan.columns_.size();
    } else if (plan.options_.scaling == Scaling::given) {
      extras.scaling.row_factors = arrays.row_factors;
      extras.scaling.column_factors = arrays.column_factors;
      extras.scaling.factor_sets = arrays.factor_sets;
    }
    return extras;
  }

  SolveJob<T> job_of(const DeviceArrays<T>& arrays) const {
    SolveJob<T> job{systems_job(arrays, plan.columns_.size())};
    job.table = plan.device_table_.data();
    return job;
  }
};

/// Kept factors, and the matrices that they were made of, which residuals are evaluated with.
template <class T>
struct Plan<T>::Kept {
  DeviceArrays<T> matrices{};
  exec::Buffer<T> ordered{};  ///< the matrices' values, where these are put into another order
  exec::Buffer<std::byte> factors{};
  index_t stride = 0;  ///< SolveExtras::factor_stride
};

template <class T>
Plan<T>::Plan(exec::Device device, const CsrPattern& given, index_t systems, const Options& options)
    : device_(device), options_(resolved<T>(device, given, options)), systems_(systems) {
  const CsrPattern pattern = solved_pattern(given, options);
  validate_pattern(options.solver, pattern, options.operation);
  PHPC_VALIDATE(systems >= 0, ErrorKind::usage, "a batch of " + std::to_string(systems) + " systems; give 0 or more");
  table_ = pattern_table(options_, pattern);
  const InRegisters found = in_registers<T>(device, pattern, options);
  const Placement without = place<T>(device, pattern.rows(), pattern.entries(), options_, table_.data()).placement;
  const ValueReading reading = value_reading(given, options_, found, without.vector_stride == 0);
  set_values_ = reading.stored.values;
  loads_in_order_ = reading.in_packs;
  registers_read_storage_ = reading.in_registers;
  memory_reads_storage_ = reading.in_memory;
  order_ = exec::Buffer<std::int32_t>(device, std::span(reading.order));
  stored_columns_ = exec::Buffer<std::int32_t>(device, std::span(reading.stored.columns));
  const Placement placement =
      memory_reads_storage_ ? place<T>(device, pattern.rows(), set_values_, options_, table_.data()).placement : without;
  row_offsets_ = exec::Buffer<std::int32_t>(device, std::span(pattern.row_offsets));
  columns_ = exec::Buffer<std::int32_t>(device, std::span(pattern.columns));
  if (scaling_kind(options_) == ScalingRule::Kind::equilibrate) {
    by_columns_ = exec::Buffer<std::int32_t>(device, std::span<const std::int32_t>(columns_of(pattern)));
  }
  device_table_ = exec::Buffer<std::int32_t>(device, std::span(std::as_const(table_)));
  if (found) {
    registers_ = std::make_shared<const Registers>(device, pattern, found, reading, systems);
  }
  workspace_ = exec::Buffer<std::byte>(device, registers_ ? registers_->teams * static_cast<index_t>(registers_->team_bytes)
                                                          : systems * static_cast<index_t>(placement.workspace_bytes));
}

template <class T>
void Plan<T>::execute(index_t systems, index_t value_sets, index_t first_set, const T* values, const T* rhs, T* x,
                      Report* reports) {
  execute({.solves = systems,
           .value_sets = value_sets,
           .first_set = first_set,
           .values = values,
           .rhs = rhs,
           .x = x,
           .reports = reports});
}

template <class T>
void Plan<T>::validate_arrays(const DeviceArrays<T>& arrays) const {
  const index_t solves = arrays.solves;
  PHPC_VALIDATE(solves >= 0 && solves <= systems_, ErrorKind::usage,
                "a plan for " + std::to_string(systems_) + " systems cannot take " + std::to_string(solves));
  PHPC_VALIDATE(arrays.value_sets > 0 || solves == 0, ErrorKind::usage, "systems without a set of values");
  PHPC_VALIDATE(
      arrays.first_rhs >= 0 && arrays.first_rhs < options_.rhs_per_system, ErrorKind::usage,
      "right-hand side " + std::to_string(arrays.first_rhs) + " of a matrix with " + std::to_string(options_.rhs_per_system));
  validate_factors(arrays, solves);
}

template <class T>
void Plan<T>::validate_factors(const DeviceArrays<T>& arrays, index_t count) const {
  const bool given = options_.scaling == Scaling::given;
  PHPC_VALIDATE(!given || count == 0 || (arrays.row_factors != nullptr && arrays.column_factors != nullptr), ErrorKind::usage,
                "scaling by given factors without factors; give both, ones for what is not to be scaled");
}

template <class T>
DeviceArrays<T> Plan<T>::ordered_arrays(const DeviceArrays<T>& arrays) {
  DeviceArrays<T> own = arrays;
  const index_t repeat = options_.rhs_per_system;
  if (arrays.factor_sets <= 1) {  // else factors of scaling are numbered as the sets of values, so that all sets are copied
    own.value_sets = std::min(arrays.value_sets, (arrays.first_rhs + arrays.solves + repeat - 1) / repeat);
    own.first_set = 0;
  }
  const index_t entries = order_.size();
  if (ordered_.size() < own.value_sets * entries) {
    ordered_ = {};  // frees the memory before more is taken
    ordered_ = exec::Buffer<T>(device_, own.value_sets * entries);
  }
  permute_values(device_, own.value_sets, entries, order_.data(), arrays.value_sets, set_values_,
                 arrays.factor_sets <= 1 ? arrays.first_set : 0,
                 options_.operation == Operation::adjoint ? Conjugation::yes : Conjugation::no, arrays.values, ordered_.data());
  own.values = ordered_.data();
  return own;
}

template <class T>
void Plan<T>::execute(const DeviceArrays<T>& given_arrays) {
  validate_arrays(given_arrays);
  const bool in_registers = registers_ && given_arrays.history == nullptr;
  const bool copies = copies_values(in_registers) && given_arrays.solves > 0;
  const DeviceArrays<T> arrays = copies ? ordered_arrays(given_arrays) : given_arrays;
  if constexpr (!is_complex<T>) {
    if (in_registers) {
      solve_in_registers(arrays);
      return;
    }
  }
  solve_in_memory(arrays, nullptr);
}

template <class T>
void Plan<T>::solve_in_registers(const DeviceArrays<T>& arrays) {
  if constexpr (!is_complex<T>) {
    const SystemsJob<T> systems = Jobs{*this}.systems_job(arrays, registers_read_storage_ ? set_values_ : columns_.size());
    if (registers_->slices) {
      dispatch(device_, options_, *registers_->slices, SliceJob<T>{systems, registers_->slices->tables()});
      return;
    }
    const RegisterJob<T> job{systems, registers_->sources.data(), registers_->columns, workspace_.data(), registers_->teams};
    dispatch(device_, options_, registers_->shape, job);
  }
}

template <class T>
void Plan<T>::solve_in_memory(const DeviceArrays<T>& arrays, Kept* kept) {
  const index_t rows = row_offsets_.size() - 1;
  const Workspace workspace = place<T>(device_, rows, memory_reads_storage_ ? set_values_ : columns_.size(), options_,
                                       table_.data(), kept == nullptr ? Factors::own : Factors::kept);
  if (const index_t bytes = systems_ * static_cast<index_t>(workspace.placement.workspace_bytes); workspace_.size() < bytes) {
    workspace_ = exec::Buffer<std::byte>(device_, bytes);  // for the first history of a plan that otherwise works in registers
  }
  SolveExtras extras = Jobs{*this}.extras_of(arrays);
  extras.more_workspace = workspace.more;
  if (kept != nullptr) {
    extras.factors = kept->factors.data();
    extras.factor_stride = kept->stride;
  }
  const bool any_extras =
      arrays.history != nullptr || extras.factors != nullptr || extras.stored.values > 0 || !is_plain(options_);
  const exec::Buffer<SolveExtras> device_extras =
      any_extras ? exec::Buffer<SolveExtras>(device_, std::span<const SolveExtras>(&extras, 1)) : exec::Buffer<SolveExtras>();
  SolveJob<T> job = Jobs{*this}.job_of(arrays);
  job.workspace = workspace_.data();
  job.placement = workspace.placement;
  job.extras = device_extras.data();
  dispatch(device_, options_, job, arrays.history != nullptr || extras.factors != nullptr || memory_reads_storage_);
}

template <class T>
bool Plan<T>::keeps_factors() const {
  return !registers_ && options_.inner_precision == Precision::f64 &&
         kept_size<T>(options_, row_offsets_.size() - 1, columns_.size(), table_.data()) > 0;
}

template <class T>
int Plan<T>::team_size() const {
  if (!registers_) {
    return options_.team_size;
  }
  return registers_->slices ? registers_->slices->shape().threads : registers_->shape.threads;
}

template <class T>
void Plan<T>::factorise(const DeviceArrays<T>& given) {
  PHPC_VALIDATE(options_.inner_precision == Precision::f64, ErrorKind::usage,
                "factors are kept in the precision of the batch; solve without cycles of f32, or afresh each time");
  validate_factors(given, given.value_sets);
  exec::Buffer<std::byte> memory;
  if (kept_ != nullptr) {
    memory = std::move(kept_->factors);
    ordered_ = std::move(kept_->ordered);
  }
  kept_.reset();
  DeviceArrays<T> matrices = given;
  matrices.first_set = 0;
  matrices.first_rhs = 0;
  matrices.solves = given.value_sets * options_.rhs_per_system;  // so that ordered_arrays() puts all sets into order
  Kept kept;
  kept.matrices = matrices;
  if (copies_values(false) && given.value_sets > 0) {
    kept.matrices = ordered_arrays(matrices);
    kept.ordered = std::move(ordered_);  // execute() needs a buffer of its own for other values
    ordered_ = {};
  }
  const index_t rows = row_offsets_.size() - 1;
  kept.stride = kept_size<T>(options_, rows, columns_.size(), table_.data());
  if (kept.stride > 0 && given.value_sets > 0) {
    const auto bytes =
        static_cast<index_t>(kept_bytes<T>(device_, options_, rows, columns_.size(), table_.data(), given.value_sets));
    if (memory.size() < bytes) {
      memory = {};  // frees the memory before more is taken
      memory = exec::Buffer<std::byte>(device_, bytes);
    }
    kept.factors = std::move(memory);
    SolveExtras extras = Jobs{*this}.extras_of(kept.matrices);
    extras.factors = kept.factors.data();
    extras.factor_stride = kept.stride;
    SolveJob<T> job = Jobs{*this}.job_of(kept.matrices);
    job.placement = place_factors<T>(device_, rows, columns_.size(), options_, table_.data());
    exec::Buffer<std::byte> workspace(device_, given.value_sets * static_cast<index_t>(job.placement.workspace_bytes));
    const exec::Buffer<SolveExtras> device_extras(device_, std::span<const SolveExtras>(&extras, 1));
    job.workspace = workspace.data();
    job.extras = device_extras.data();
    make_factors(device_, options_, job);
  }
  kept_ = std::make_shared<Kept>(std::move(kept));
}

template <class T>
void Plan<T>::solve(const DeviceArrays<T>& given) {
  PHPC_VALIDATE(kept_ != nullptr, ErrorKind::usage, "a solve with kept factors before there are any; factorise first");
  DeviceArrays<T> arrays = kept_->matrices;
  arrays.solves = given.solves;
  arrays.first_set = given.first_set;
  arrays.first_rhs = given.first_rhs;
  arrays.rhs = given.rhs;
  arrays.x = given.x;
  arrays.reports = given.reports;
  arrays.tolerances = given.tolerances;
  arrays.history = given.history;
  validate_arrays(arrays);
  solve_in_memory(arrays, kept_->factors.size() > 0 ? kept_.get() : nullptr);
}

template class Plan<float>;
template class Plan<double>;
template class Plan<Complex<float>>;
template class Plan<Complex<double>>;

}  // namespace phpc::batch
