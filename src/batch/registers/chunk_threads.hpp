#pragma once
#include "batch/registers/register_context.hpp"

namespace phpc::batch {

/// The base of contexts of one tridiagonal system, each of whose threads has a chunk of neighbouring rows: vectors in registers,
/// and what threads show to one another. Of an operand, a product takes the ends of the neighbouring chunks from other threads.
template <class T, RegisterShape Shape>
class ChunkThreads : public ContextInRegisters<T, Shape.rows() / SystemThreads<T, Shape.threads>::size> {
  using Base = ContextInRegisters<T, Shape.rows() / SystemThreads<T, Shape.threads>::size>;

 public:
  using Base::count;
  using typename Base::Vector;
  using Threads = SystemThreads<T, Shape.threads>;
  static constexpr int size = Threads::size;
  /// Most values that each thread shows to the others at a time.
  static constexpr int most_shown = 3;
  /// Values of scratch in which threads of several sub-groups show theirs, two sets by turns.
  static constexpr int shown_values = Shape.threads > 32 ? 2 * most_shown* Shape.threads : 0;

  /// In scratch for shown_values, and for Threads::exchange_values.
  [[gnu::always_inline]] ChunkThreads(const exec::Team& team, T* shown, T* exchange) : threads_(team, exchange), shown_(shown) {}
  /// The same threads with numbers of T, in the scratch of `wide`, whose numbers are not narrower. They may change from one to
  /// the other after a barrier or a sum.
  template <class Wide>
  [[gnu::always_inline]] explicit ChunkThreads(const ChunkThreads<Wide, Shape>& wide)
      : threads_(wide.threads_), shown_(reinterpret_cast<T*>(wide.shown_)) {
    static_assert(sizeof(T) <= sizeof(Wide));
  }

  [[nodiscard, gnu::always_inline]] const Threads& threads() const { return threads_; }
  [[nodiscard, gnu::always_inline]] int row(int i) const { return threads_.rank() * count + i; }
  [[gnu::always_inline]] void barrier() const { threads_.barrier(); }
  template <class... Values>
  [[gnu::always_inline]] void team_sum(Values&... values) {
    threads_.team_reduce(exec::Plus{}, values...);
  }
  [[gnu::always_inline]] void team_maximum(T& value) { threads_.team_reduce(exec::Maximum{}, value); }
  [[nodiscard, gnu::always_inline]] static bool any(bool mask) { return Threads::any(mask); }

  /// Values that each thread shows, for all others of the system to read.
  template <int Count>
  class Shown {
   public:
    /// Value k of the thread `distance` after the caller; 0 where the system has no such thread. All threads must call it.
    [[nodiscard, gnu::always_inline]] T of(const ChunkThreads& context, int k, int distance) const {
      const int wanted = context.threads_.rank() + distance;
      const bool exists = wanted >= 0 && wanted < size;
      const int thread = exists ? wanted : context.threads_.rank();
      const T value = size > 32 ? set_[k * size + thread] : context.threads_.value_of(own_[k], thread);
      return exists ? value : T{0};
    }

   private:
    friend class ChunkThreads;
    T own_[Count];
    const T* set_;
  };
  /// Shows values to the other threads. Two sets are used by turns, so that a barrier lies between any thread's reading of one
  /// and the next writing of it.
  template <class... Values>
  [[nodiscard, gnu::always_inline]] auto show(Values... values) {
    constexpr int shown = sizeof...(Values);
    static_assert(shown <= most_shown);
    Shown<shown> all{};
    int number = 0;
    ((all.own_[number++] = values), ...);
    if constexpr (size > 32) {
      turn_ ^= 1;
      T* const set = shown_ + turn_ * (most_shown * size);
#pragma unroll
      for (int k = 0; k < shown; ++k) {
        set[k * size + threads_.rank()] = all.own_[k];
      }
      threads_.barrier();
      all.set_ = set;
    }
    return all;
  }

 protected:
  /// Calls store(i, sum) with the product of each of the thread's rows i and p. The matrix has lower(i), middle(i) and upper(i).
  template <class Sum, class Matrix, class Store>
  [[gnu::always_inline]] void team_for_rows(const Matrix& matrix, const Vector& p, Store store) {
    const auto ends = show(p.element[0], p.element[count - 1]);
    const T before = ends.of(*this, 1, -1);
    const T after = ends.of(*this, 0, 1);
#pragma unroll
    for (int i = 0; i < count; ++i) {
      Sum sum;
      sum.add_product(matrix.lower(i), i == 0 ? before : p.element[i == 0 ? 0 : i - 1]);
      sum.add_product(matrix.middle(i), p.element[i]);
      sum.add_product(matrix.upper(i), i + 1 == count ? after : p.element[i + 1 == count ? i : i + 1]);
      store(i, sum);
    }
  }

 private:
  template <class, RegisterShape>
  friend class ChunkThreads;

  Threads threads_;
  T* shown_;
  int turn_ = 0;
};

}  // namespace phpc::batch
