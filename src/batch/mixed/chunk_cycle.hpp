#pragma once
#include "batch/mixed/mixed_cycle.hpp"
#include "batch/registers/chunk_context.hpp"

namespace phpc::batch {

/// What a cycle in numbers of T sees of a tridiagonal system in chunks of rows: vectors and matrix lie in registers.
template <class T, RegisterShape Shape>
class ChunkCycleContext : public ChunkThreads<T, Shape> {
  using Base = ChunkThreads<T, Shape>;

 public:
  using Base::count;
  using typename Base::Vector;

  /// Takes the matrix from the scratch of `system`.
  template <class Wide>
  [[gnu::always_inline]] explicit ChunkCycleContext(const ChunkContext<Wide, Shape>& system) : Base(system) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      lower_[i] = lanes_as<T>(system.lower(i));
      middle_[i] = lanes_as<T>(system.middle(i));
      upper_[i] = lanes_as<T>(system.upper(i));
    }
  }

  [[nodiscard, gnu::always_inline]] T lower(int i) const { return lower_[i]; }
  [[nodiscard, gnu::always_inline]] T middle(int i) const { return middle_[i]; }
  [[nodiscard, gnu::always_inline]] T upper(int i) const { return upper_[i]; }
  [[nodiscard, gnu::always_inline]] T diagonal(int i) const { return middle_[i]; }

  template <class Each>
  [[gnu::always_inline]] void team_multiply(const Vector& p, Vector& y, Each each) {
    this->template team_for_rows<PlainSum<T>>(*this, p, [&](int i, const PlainSum<T>& sum) {
      y.element[i] = sum.sum();
      each(i, y.element[i]);
    });
  }

 private:
  T lower_[count];
  T middle_[count];
  T upper_[count];
};

/// A method for ChunkKernel whose cycles are those of Method in numbers of Low (see MixedCycle). Each takes the matrix into
/// registers and makes the preconditioner anew, so that between cycles these registers are free for residuals.
template <class Method, template <class> class Preconditioner, class Low = float>
struct ChunkCycle {
  template <class T, RegisterShape Shape, class Outer>
  [[nodiscard, gnu::always_inline]] static CycleResult<T> team_cycle(ChunkContext<T, Shape>& context, Outer& /*preconditioner*/,
                                                                     typename ChunkContext<T, Shape>::Vector& r,
                                                                     typename ChunkContext<T, Shape>::Vector& d,
                                                                     const CycleTask<T>& task) {
    using Context = ChunkCycleContext<Low, Shape>;
    forget_scratch();
    Context low_context(context);
    Preconditioner<Context> preconditioner(low_context);
    InnerSystem<Context, Preconditioner<Context>> inner{low_context, preconditioner};
    const CycleResult<T> result = MixedCycle<Method>::team_cycle(context, inner, r, d, task);
    forget_scratch();
    return result;
  }

 private:
  /// Keeps the compiler from holding what it has read of scratch, the matrix as double, in registers during a cycle: they are too
  /// few for it.
  [[gnu::always_inline]] static void forget_scratch() { asm volatile("" ::: "memory"); }
};

}  // namespace phpc::batch
