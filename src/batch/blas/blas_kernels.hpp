#pragma once
#include "batch/solver/solve_system.hpp"
#include "batch/system/memory_context.hpp"
#include "phpc/batch/matrix.hpp"
#include "phpc/exec/launch.hpp"

/// The kernels of phpc/batch/blas.hpp. Where elements are independent, a team takes a run of elements of the whole batch, so that
/// systems of few rows leave no thread idle; where elements of a system are summed, a team takes a system.
namespace phpc::batch {

/// Elements of a team's run, so many that starting the team costs little.
inline constexpr index_t blas_run = 1024;

/// Calls each(system, row, place) for the thread's share of its team's run of the `count` elements of a batch.
template <class Each>
[[gnu::always_inline]] inline void for_own_elements(const exec::Team& team, index_t count, index_t rows, Each each) {
  const index_t first = team.league_rank() * blas_run;
  const index_t end = first + blas_run < count ? first + blas_run : count;
  index_t place = first + team.rank();
  index_t system = place / rows;
  index_t row = place % rows;
  for (; place < end; place += team.size()) {
    each(system, row, place);
    row += team.size();
    while (row >= rows) {
      row -= rows;
      ++system;
    }
  }
}

/// y = alpha A x + beta y
template <class T, int TeamSize>
struct MultiplyKernel {
  static constexpr int team_size = TeamSize;
  struct Scratch {};
  CsrView<T> matrix;
  T alpha;
  const T* x;
  T beta;
  T* y;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    const MultiplyKernel& own = *this;
    for_own_elements(team, matrix.systems * matrix.rows, matrix.rows, [&own](index_t system, index_t row, index_t place) {
      T product{};
      if (own.alpha != T{0}) {
        const CsrView<T>& a = own.matrix;
        const CsrSystem<T> one{a.rows, a.entries, a.row_offsets, a.columns, a.values + a.set_of(system) * a.entries};
        product = own.alpha * one.row_times(static_cast<std::int32_t>(row), own.x + system * a.rows);
      }
      own.y[place] = own.beta == T{0} ? product : product + own.beta * own.y[place];
    });
  }
};

/// y += alpha x, with one alpha or one a system.
template <class T, int TeamSize>
struct AxpyKernel {
  static constexpr int team_size = TeamSize;
  struct Scratch {};
  index_t systems;
  index_t rows;
  T alpha;
  const T* alphas;  ///< (systems), or null
  const T* x;
  T* y;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    const AxpyKernel& own = *this;
    for_own_elements(team, systems * rows, rows, [&own](index_t system, index_t /*row*/, index_t place) {
      own.y[place] += (own.alphas != nullptr ? own.alphas[system] : own.alpha) * own.x[place];
    });
  }
};

/// results = x . y, one a system.
template <class T, int TeamSize>
struct DotKernel {
  static constexpr int team_size = TeamSize;
  using Scratch = exec::CollectiveScratch<T, TeamSize>;
  index_t rows;
  const T* x;
  const T* y;
  T* results;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t first = team.league_rank() * rows;
    T sum{};
    for (index_t row = team.rank(); row < rows; row += team.size()) {
      sum += x[first + row] * y[first + row];
    }
    sum = exec::team_reduce(team, sum, exec::Plus{}, scratch);
    if (team.rank() == 0) {
      results[team.league_rank()] = sum;
    }
  }
};

/// results = ||x||, one a system.
template <class T, int TeamSize>
struct NormKernel {
  static constexpr int team_size = TeamSize;
  using Context = MemoryContext<T, TeamSize>;
  using Scratch = typename Context::Reductions;
  std::int32_t rows;
  T* x;  ///< only read
  T* results;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    T* const own = x + team.league_rank() * rows;
    Context context(team, scratch, {rows, 0, nullptr, nullptr, nullptr}, {nullptr, own, rows, 0}, nullptr, nullptr, nullptr,
                    nullptr);
    const T norm = team_norm(context, context.vector(0));
    if (team.rank() == 0) {
      results[team.league_rank()] = norm;
    }
  }
};

}  // namespace phpc::batch
