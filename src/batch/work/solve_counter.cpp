#include "batch/work/solve_counter.hpp"

#include "batch/work/preconditioner_counts.hpp"

namespace phpc::batch {

SolveCounter::SolveCounter(const CsrPattern& pattern, const std::int32_t* table, bool preconditioned, bool one_thread,
                           int vectors)
    : pattern_(pattern),
      table_(table),
      kind_(preconditioned ? static_cast<PatternKind>(table[0]) : PatternKind::none),
      one_thread_(one_thread) {
  counts_.vectors.resize(static_cast<std::size_t>(vectors));
}

void SolveCounter::touch(int vector, double elements) {
  double& place = vector == vector_b   ? counts_.rhs
                  : vector == vector_x ? counts_.solution
                  : vector == vector_z ? counts_.preparation
                                       : counts_.vectors.at(static_cast<std::size_t>(vector));
  place += weight_ * elements;
}

void SolveCounter::loop(Vectors read, Vectors written, double flops_of_a_row) {
  const auto n = static_cast<double>(rows());
  for (const Vectors vectors : {read, written}) {
    for (const int vector : vectors) {
      touch(vector, n);
    }
  }
  flops(n * flops_of_a_row);
}

void SolveCounter::product_with(int operand) {
  const auto of_entries = static_cast<double>(entries());
  matrix(of_entries);
  touch(operand, of_entries);
  indices(of_entries + 2 * static_cast<double>(rows()));
  counts_.products += weight_;
}

void SolveCounter::multiply(int operand, int product, Vectors read, double flops_of_a_row) {
  product_with(operand);
  flops(2 * static_cast<double>(entries()));
  loop(read, {product}, flops_of_a_row);
}

void SolveCounter::residual(int p, int r) {
  product_with(p);
  flops(4 * static_cast<double>(entries()) + 1);  // each product, and its magnitude; the inverse of the unit
  loop({vector_b}, {r}, 4);
}

void SolveCounter::prepare() {
  count_preparation(*this, kind_);
}

int SolveCounter::apply(int vector) {
  if (has_identity()) {
    return vector;
  }
  count_application(*this, kind_, vector);
  return vector_z;
}

}  // namespace phpc::batch
