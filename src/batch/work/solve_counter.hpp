#pragma once
#include <initializer_list>
#include <vector>

#include "batch/precond/pattern_tables.hpp"
#include "phpc/batch/matrix.hpp"

namespace phpc::batch {

/// What the solve of one system does, whatever kernel runs it: its operations (additions, subtractions, products, divisions,
/// square roots; comparisons, signs and magnitudes are none), and how many elements it reads and writes of each thing. A loop
/// over rows reads and writes an element of a vector once a row, however often its formulas name it.
struct SolveCounts {
  double flops = 0;
  std::vector<double> vectors;  ///< of each vector of the context: r, d, then the method's own
  double preparation = 0;       ///< of the preconditioner's memory, its result included
  double work = 0;              ///< of the method's own memory
  double matrix = 0;            ///< of A's values
  double rhs = 0;               ///< of b
  double solution = 0;          ///< of x
  double indices = 0;           ///< integers of the pattern and of tables
  double products = 0;          ///< products of A and a vector, those of residuals included
};

/// Numbers of vectors: b, x and the preconditioner's result, and those that every method has (CycleTask). Its own ones follow,
/// from first_vector on.
enum : int { vector_b = -3, vector_x = -2, vector_z = -1, vector_r = 0, vector_d = 1 };

/// Counts the work of one system: a method says what it does (MethodRow::count), loop by loop, and the counter adds it up.
class SolveCounter {
 public:
  using Vectors = std::initializer_list<int>;

  /// Of systems of the pattern. `table` is the method's or the preconditioner's; `preconditioned` is false for methods that take
  /// none. `one_thread` says that a thread has all rows, as in packs of the host.
  SolveCounter(const CsrPattern& pattern, const std::int32_t* table, bool preconditioned, bool one_thread, int vectors);

  [[nodiscard]] const SolveCounts& counts() const { return counts_; }
  [[nodiscard]] const CsrPattern& pattern() const { return pattern_; }
  [[nodiscard]] const std::int32_t* table() const { return table_; }
  [[nodiscard]] index_t rows() const { return pattern_.rows(); }
  [[nodiscard]] index_t entries() const { return pattern_.entries(); }
  [[nodiscard]] bool one_thread() const { return one_thread_; }

  /// Counts what `part` counts so many times.
  template <class Part>
  void repeat(double times, Part part) {
    const double before = weight_;
    weight_ *= times;
    part();
    weight_ = before;
  }

  void flops(double number) { counts_.flops += weight_ * number; }
  void work(double elements) { counts_.work += weight_ * elements; }
  void matrix(double elements) { counts_.matrix += weight_ * elements; }
  void indices(double number) { counts_.indices += weight_ * number; }
  void preparation(double elements) { counts_.preparation += weight_ * elements; }
  /// `elements` of a vector read or written.
  void touch(int vector, double elements);

  /// A loop over all rows, with so many operations a row.
  void loop(Vectors read, Vectors written, double flops_of_a_row);
  /// product = A operand; on the way each row reads its element of further vectors and does more operations.
  void multiply(int operand, int product, Vectors read, double flops_of_a_row);
  /// r = b - A p, and a bound of its rounding error.
  void residual(int p, int r);
  /// Makes the preconditioner.
  void prepare();
  /// Applies the preconditioner; returns where the result is, which is the vector itself where there is none.
  int apply(int vector);
  [[nodiscard]] bool has_identity() const { return kind_ == PatternKind::none; }
  /// Whether M is symmetric where A is, as preconditioners say it themselves.
  [[nodiscard]] bool is_symmetric() const { return kind_ == PatternKind::none || kind_ == PatternKind::jacobi; }

 private:
  void product_with(int operand);

  const CsrPattern& pattern_;
  const std::int32_t* table_;
  PatternKind kind_;
  bool one_thread_;
  double weight_ = 1;
  SolveCounts counts_;
};

}  // namespace phpc::batch
