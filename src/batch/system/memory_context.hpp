#pragma once
#include <cstdint>
#include <type_traits>

#include "batch/math/product_sums.hpp"
#include "batch/math/value.hpp"
#include "batch/system/csr_system.hpp"
#include "batch/system/history.hpp"
#include "batch/system/scratch_plan.hpp"
#include "batch/system/solve_job.hpp"
#include "batch/system/strided_range.hpp"
#include "batch/system/system_context.hpp"
#include "phpc/exec/collective.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::batch {

/// Scratch for the partial sums that the sub-groups of a GPU's team leave for one another: up to most_sums at a time, in one of
/// two sets by turns, so that one barrier is enough for each.
template <class Value, int Slots>
struct SumsOfSubgroups {
  Value partial[2 * most_sums * Slots];
};

/// A SystemContext whose matrix and vectors lie in memory (scratch or global), whatever their size. One that is not General has
/// neither scaling, histories, kept factors nor values in a storage other than CSR.
template <class V, int TeamSize, bool General = true>
class MemoryContext {
 public:
  using Value = V;
  using Real = RealOf<Value>;
  using Vector = Value*;
  using Collective = exec::CollectiveScratch<Value, TeamSize>;
  static constexpr bool sums_together = Collective::by_subgroup && Collective::slots > 1;
  using Reductions = std::conditional_t<sums_together, SumsOfSubgroups<Value, Collective::slots>, Collective>;
  /// A host thread with packs is a team of its own.
  static constexpr bool is_one_thread = lanes<Value> > 1;

  /// Where the vectors of one system lie: the first `in_scratch` of them in scratch, the others in global memory.
  struct Vectors {
    Value* scratch;
    Value* global;
    std::int64_t stride;
    int in_scratch;
  };

  [[gnu::always_inline]] MemoryContext(const exec::Team& team, Reductions& reductions, const CsrSystem<Value>& matrix,
                                       const Vectors& vectors, Value* preparation, Value* work, const Value* b, Value* x,
                                       const std::int32_t* table = nullptr)
      : team_(team),
        reductions_(reductions),
        matrix_(matrix),
        vectors_(vectors),
        preparation_(preparation),
        work_(work),
        b_(b),
        x_(x),
        table_(table) {}

  [[nodiscard, gnu::always_inline]] StridedRange my_rows() const {
    if constexpr (is_one_thread) {
      return {0, matrix_.rows, 1};
    }
    return {team_.rank(), matrix_.rows, team_.size()};
  }
  [[nodiscard, gnu::always_inline]] Vector vector(int number) const {
    return number < vectors_.in_scratch ? vectors_.scratch + number * vectors_.stride
                                        : vectors_.global + (number - vectors_.in_scratch) * vectors_.stride;
  }
  [[nodiscard, gnu::always_inline]] Value rhs(int i) const {
    if constexpr (is_complex<Value>) {
      return scaled() ? b_[i] * row_factors_[i] : b_[i];  // exact: the factor is a power of two
    } else {
      return scaled() ? rounded_product(b_[i], row_factors_[i]) : b_[i];
    }
  }
  [[nodiscard, gnu::always_inline]] Value guess(int i) const { return scaled() ? x_[i] / column_factors_[i] : x_[i]; }
  /// x[i] = value where the mask holds.
  [[gnu::always_inline]] void update_solution(int i, Value value, MaskOf<Value> mask) const {
    x_[i] = select(mask, scaled() ? value * column_factors_[i] : value, x_[i]);
  }

  /// Makes the context one of a scaled system, whose matrix it has already (see scaling.hpp): b and x pass through the factors.
  [[gnu::always_inline]] void scale_by(const Real* row_factors, const Real* column_factors) {
    row_factors_ = row_factors;
    column_factors_ = column_factors;
  }
  /// Reads the matrix's values in that storage. Unless it is CSR, only products and the diagonal may be asked for.
  [[gnu::always_inline]] void read_as(const StoredValues& stored) {
    storage_ = stored.storage;
    matrix_.columns = stored.storage == Storage::ell ? stored.columns : matrix_.columns;
  }
  /// Replaces the matrix's values.
  [[gnu::always_inline]] void set_values(const Value* values) { matrix_.values = values; }
  [[nodiscard, gnu::always_inline]] bool scaled() const { return General && row_factors_ != nullptr; }
  template <class Number>
  [[nodiscard, gnu::always_inline]] Number unscaled(int i, Number r) const {
    return scaled() ? r / row_factors_[i] : r;
  }

  /// Gives the method factors that an earlier launch has made (keep_kernel.hpp), so that it does not factorise.
  [[gnu::always_inline]] void take_factors(Value* kept) { kept_ = kept; }
  [[nodiscard, gnu::always_inline]] bool has_factors() const { return General && kept_ != nullptr; }
  /// The kept factors, or `own`, where the method makes its own.
  [[nodiscard, gnu::always_inline]] Value* factors_or(Value* own) const { return has_factors() ? kept_ : own; }

  /// Records residual norms in `history`, which outlives the context.
  [[gnu::always_inline]] void record_in(History<lanes<Value>>* history) { history_ = history; }
  [[gnu::always_inline]] void begin_cycle(Real unit, CountOf<Value> iterations) const {
    if (General && history_ != nullptr) {
      history_->begin_cycle(unit, iterations);
    }
  }
  [[gnu::always_inline]] void record(CountOf<Value> iterations, MaskOf<Value> mask, Real squared) const {
    if (General && history_ != nullptr && team_.rank() == 0) {
      history_->record(iterations, mask, squared);
    }
  }
  [[gnu::always_inline]] void record_true(CountOf<Value> iterations, MaskOf<Value> mask, Real norm) const {
    if (General && history_ != nullptr && team_.rank() == 0) {
      history_->record_true(iterations, mask, norm);
    }
  }

  /// The thread's elements from `first` on.
  [[nodiscard, gnu::always_inline]] StridedRange my_rows_from(int first) const {
    if constexpr (is_one_thread) {
      return {first, matrix_.rows, 1};
    }
    const int size = team_.size();
    return {team_.rank() >= first ? team_.rank() : team_.rank() + (first - team_.rank() + size - 1) / size * size, matrix_.rows,
            size};
  }

  /// The numbers of the thread's share among `count` pieces of work.
  [[nodiscard, gnu::always_inline]] StridedRange my_share(int count) const {
    if constexpr (is_one_thread) {
      return {0, count, 1};
    }
    return {team_.rank(), count, team_.size()};
  }

  /// y = A p; calls each(i, y[i]) on the way.
  template <class Each>
  [[gnu::always_inline]] void team_multiply(const Vector& p, Vector& y, Each each) const {
    barrier();
    if (rows_are_shared()) {
      team_for_shared_rows<PlainSum<Value>>(p, [&](int row, const PlainSum<Value>& sum) { y[row] = sum.sum(); });
      for (const int i : my_rows()) {
        each(i, y[i]);
      }
      return;
    }
    for (const int i : my_rows()) {
      const Value y_i = row_times(i, p);
      y[i] = y_i;
      each(i, y_i);
    }
    barrier();
  }
  /// r = b - A p. The sum over all threads of what it returns is the square of || |A| |p| ||, of the system as it was given and
  /// in multiples of `unit`.
  [[nodiscard, gnu::always_inline]] Real team_residual(const Vector& p, Vector& r, Real unit) const {
    const Real inverse = ScalarOf<Value>{1} / unit;
    Real squared{};
    team_for_rows<MeasuredSum<Value>>(p, [&](int row, const MeasuredSum<Value>& sum) {
      r[row] = rhs(row) - sum.sum();
      const Real magnitude = unscaled(row, sum.magnitude()) * inverse;
      squared += magnitude * magnitude;
    });
    return squared;
  }
  /// r = b - A p where the mask holds, compensated.
  [[gnu::always_inline]] void team_compensated_residual(const Vector& p, Vector& r, MaskOf<Value> mask) const {
    team_for_rows<CompensatedSum<Value>>(
        p, [&](int row, const CompensatedSum<Value>& sum) { r[row] = select(mask, sum.subtracted_from(rhs(row)), r[row]); });
  }

  /// Sums each value over all threads, in an order that depends on the team size alone.
  template <class... Values>
  [[gnu::always_inline]] void team_sum(Values&... values) {
    team_reduce(exec::Plus{}, values...);
  }
  [[gnu::always_inline]] void team_maximum(Real& value) { team_reduce(exec::Maximum{}, value); }
  [[nodiscard, gnu::always_inline]] static bool any(MaskOf<Value> mask) { return any_lane(mask); }

  [[nodiscard, gnu::always_inline]] Value diagonal(int i) const {
    if constexpr (reads_storages) {
      Value value{};
      for_row(i, [&](std::int32_t place, std::int32_t column) { value = column == i ? matrix_.values[place] : value; });
      return value;
    }
    return matrix_.diagonal(i);
  }
  [[nodiscard, gnu::always_inline]] Vector preparation(int number) const {
    return preparation_ + number * std::int64_t{matrix_.rows};
  }

  /// The method's or the preconditioner's PatternTable.
  [[nodiscard, gnu::always_inline]] const std::int32_t* table() const { return table_; }

  /// The method's own memory, the team and the matrix, for methods that only this context can run.
  [[nodiscard, gnu::always_inline]] Value* work() const { return work_; }
  [[nodiscard, gnu::always_inline]] const exec::Team& team() const { return team_; }
  [[nodiscard, gnu::always_inline]] const CsrSystem<Value>& matrix() const { return matrix_; }

  [[gnu::always_inline]] void barrier() const {
    if constexpr (!is_one_thread) {
      team_.barrier();
    }
  }

 private:
  static constexpr bool reads_storages = General && !is_one_thread;
  [[nodiscard, gnu::always_inline]] bool is_dense() const { return reads_storages && storage_ == Storage::dense; }
  [[nodiscard, gnu::always_inline]] bool is_ell() const { return reads_storages && storage_ == Storage::ell; }

  /// The place of row i's first value, and the one behind its last. In ELL, values of a row are `rows` places apart, so that
  /// neighbouring threads read neighbours; for dense rows no indices are read.
  [[nodiscard, gnu::always_inline]] std::int32_t row_begin(int i) const {
    return is_dense() ? i * matrix_.rows : is_ell() ? i : matrix_.row_offsets[i];
  }
  [[nodiscard, gnu::always_inline]] std::int32_t row_end(int i) const {
    return is_dense() ? (i + 1) * matrix_.rows
           : is_ell() ? i + (matrix_.row_offsets[i + 1] - matrix_.row_offsets[i]) * matrix_.rows
                      : matrix_.row_offsets[i + 1];
  }
  /// The column of the value at `place`, in a row that begins at `begin`.
  [[nodiscard, gnu::always_inline]] std::int32_t column(std::int32_t place, std::int32_t begin) const {
    return is_dense() ? place - begin : matrix_.columns[place];
  }
  /// Calls visit(place, column) for all of row i.
  template <class Visit>
  [[gnu::always_inline]] void for_row(int i, Visit visit) const {
    const std::int32_t begin = row_begin(i);
    const std::int32_t end = row_end(i);
    const std::int32_t step = is_ell() ? matrix_.rows : 1;
    for (std::int32_t place = begin; place < end; place += step) {
      visit(place, column(place, begin));
    }
  }
  /// Row i of A times p, by a Sum of product_sums.hpp.
  template <class Sum>
  [[nodiscard, gnu::always_inline]] Sum row_sum(int i, const Value* p) const {
    if constexpr (reads_storages) {
      Sum sum;
      for_row(i, [&](std::int32_t place, std::int32_t column) { sum.add_product(matrix_.values[place], p[column]); });
      return sum;
    }
    return matrix_.template row_sum<Sum>(i, p);
  }
  [[nodiscard, gnu::always_inline]] Value row_times(int i, const Value* p) const {
    if constexpr (reads_storages) {
      return row_sum<PlainSum<Value>>(i, p).sum();
    }
    return matrix_.row_times(i, p);
  }

  /// The average number of entries in a row.
  [[nodiscard, gnu::always_inline]] int average_row() const { return is_dense() ? matrix_.rows : matrix_.entries / matrix_.rows; }
  /// Whether the lanes of a sub-group share rows of the matrix in products.
  [[nodiscard, gnu::always_inline]] bool rows_are_shared() const {
    if constexpr (Collective::by_subgroup) {
      return !is_ell() && (is_dense() ? matrix_.rows > 4 : matrix_.entries > 4 * matrix_.rows);
    }
    return false;
  }
  /// Calls store(row, sum) once for every row's product with p, on one of the team's threads; with barriers before and after.
  template <class Sum, class Store>
  [[gnu::always_inline]] void team_for_rows(const Vector& p, Store store) const {
    barrier();
    if (rows_are_shared()) {
      team_for_shared_rows<Sum>(p, store);
      return;
    }
    for (const int i : my_rows()) {
      store(i, row_sum<Sum>(i, p));
    }
    barrier();
  }

  /// The entries of a row that a lane takes at once. Those that the row has not are 0, in column `none`.
  struct RowPart {
    static constexpr int size = 4;
    static constexpr std::int32_t none = -1;
    Value values[size];
    std::int32_t columns[size];
  };
  /// Loads entries `entry`, entry + width, ... of the row that lies from `begin` to `end`.
  [[nodiscard, gnu::always_inline]] RowPart row_part(std::int32_t entry, std::int32_t begin, std::int32_t end, int width) const {
    RowPart part;
#pragma unroll
    for (int k = 0; k < RowPart::size; ++k) {
      const std::int32_t place = entry + k * width;
      part.columns[k] = place < end ? column(place, begin) : RowPart::none;
      part.values[k] = place < end ? matrix_.values[place] : Value{};
    }
    return part;
  }
  template <class Sum>
  [[gnu::always_inline]] static void add_part(Sum& sum, const RowPart& part, const Value* p) {
    Value x[RowPart::size];
#pragma unroll
    for (int k = 0; k < RowPart::size; ++k) {
      x[k] = part.columns[k] != RowPart::none ? p[part.columns[k]] : Value{};
    }
#pragma unroll
    for (int k = 0; k < RowPart::size; ++k) {
      sum.add_product(part.values[k], x[k]);
    }
  }

  /// Calls store(row, sum) once for every row's product with p, with 2^k lanes a row, about a quarter as many as it has entries:
  /// neighbouring lanes then read neighbours in memory, whereas with a row a lane each lane would read a cache line of its own.
  /// A lane's first entries of the next row are on their way while those of this one are summed. It ends on a barrier.
  template <class Sum, class Store>
  [[gnu::always_inline]] void team_for_shared_rows(const Vector& p, Store store) const {
    const int average = average_row();
    const int width = average < 8 ? 2 : average < 16 ? 4 : average < 64 ? 8 : average < 128 ? 16 : 32;
    const int lane = team_.rank() % width;
    const int groups = team_.size() / width;
    int row = team_.rank() / width;
    std::int32_t begin = row < matrix_.rows ? row_begin(row) : 0;
    std::int32_t end = row < matrix_.rows ? row_end(row) : 0;
    RowPart part = row_part(begin + lane, begin, end, width);
    std::int32_t next_begin = row + groups < matrix_.rows ? row_begin(row + groups) : 0;
    std::int32_t next_end = row + groups < matrix_.rows ? row_end(row + groups) : 0;
    for (int first = 0; first < matrix_.rows; first += groups) {  // equally often in every lane, for the exchanges
      const RowPart own = part;
      const std::int32_t own_begin = begin;
      const std::int32_t own_end = end;
      begin = next_begin;
      end = next_end;
      part = row_part(begin + lane, begin, end, width);
      const int after = row + 2 * groups;
      next_begin = after < matrix_.rows ? row_begin(after) : 0;
      next_end = after < matrix_.rows ? row_end(after) : 0;
      Sum sum;
      add_part(sum, own, p);
      for (std::int32_t entry = own_begin + lane + RowPart::size * width; entry < own_end; entry += RowPart::size * width) {
        add_part(sum, row_part(entry, own_begin, own_end, width), p);
      }
      for (int mask = width / 2; mask > 0; mask /= 2) {
        sum.add_other([&](auto value) { return exec::subgroup_shuffle_xor(team_, value, mask); });
      }
      if (lane == 0 && row < matrix_.rows) {
        store(row, sum);
      }
      row += groups;
    }
    barrier();
  }

  template <class Combine, class... Values>
  [[gnu::always_inline]] void team_reduce(Combine combine, Values&... values) {
    if constexpr (sums_together) {
      static_assert(sizeof...(values) <= most_sums);
      constexpr int slots = Collective::slots;
      ((values = exec::subgroup_reduce(team_, values, combine)), ...);
      turn_ ^= 1;
      Value* const partial = reductions_.partial + turn_ * (most_sums * slots);
      int number = 0;
      if (exec::subgroup_lane(team_) == 0) {
        (put(partial[number++ * slots + team_.rank() / exec::subgroup_size], values), ...);
      }
      barrier();
      number = 0;
      ((values = over_slots<slots, Values>(combine, partial + number++ * slots)), ...);
    } else if constexpr (!is_one_thread) {
      (team_reduce_one(combine, values), ...);
    }
  }
  template <int Slots, class Number, class Combine>
  [[nodiscard, gnu::always_inline]] static Number over_slots(Combine combine, const Value* partial) {
    Number result = taken<Number>(partial[0]);
#pragma unroll
    for (int slot = 1; slot < Slots; ++slot) {
      result = combine(result, taken<Number>(partial[slot]));
    }
    return result;
  }
  /// Reduces one value of a team that is no whole number of sub-groups. A real number takes the place of a complex one.
  template <class Number, class Combine>
  [[gnu::always_inline]] void team_reduce_one(Combine combine, Number& number) {
    auto& scratch = reinterpret_cast<exec::CollectiveScratch<Number, TeamSize>&>(reductions_);
    static_assert(sizeof(scratch) <= sizeof(Reductions));
    number = exec::team_reduce(team_, number, combine, scratch);
  }
  [[gnu::always_inline]] static void put(Value& place, Value number) { place = number; }
  template <class Number>
    requires(is_complex<Value> && std::is_same_v<Number, Real>)
  [[gnu::always_inline]] static void put(Value& place, Number number) {
    place.re = number;
  }
  template <class Number>
  [[nodiscard, gnu::always_inline]] static Number taken(const Value& place) {
    if constexpr (std::is_same_v<Number, Value>) {
      return place;
    } else {
      return place.re;
    }
  }

  const exec::Team& team_;
  Reductions& reductions_;
  CsrSystem<Value> matrix_;
  Vectors vectors_;
  Value* preparation_;
  Value* work_;
  const Value* b_;
  Value* x_;
  const std::int32_t* table_;
  Value* kept_ = nullptr;
  const Real* row_factors_ = nullptr;
  const Real* column_factors_ = nullptr;
  History<lanes<Value>>* history_ = nullptr;
  Storage storage_ = Storage::csr;
  int turn_ = 0;
};

}  // namespace phpc::batch
