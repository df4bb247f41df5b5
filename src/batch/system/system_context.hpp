#pragma once
#include "batch/math/value.hpp"
#include "batch/system/strided_range.hpp"

namespace phpc::batch {

/// A system context is what a method computes in: one system (one a lane, where Value is a pack) and the threads that work on it.
/// MemoryContext has matrix and vectors in memory; RegisterContext, SliceContext and ChunkContext have vectors in registers
/// (ContextInRegisters).
///
/// Element i of every vector belongs to one thread, whose own ones my_rows() lists; a method writes nothing but those, and reads
/// others' through team_multiply alone. Functions with team_ are collective: all threads of the system call them, with barriers
/// within. A context has
///   Value, Vector                    a number; a vector, indexed by the numbers that my_rows() gives
///   my_rows(), vector(k)             the thread's elements; the k-th vector of work
///   rhs(i), guess(i)                 b[i]; x[i] as it stands
///   update_solution(i, value, mask)  x[i] = value where the mask holds
///   team_residual(p, r, unit)        r = b - A p; the thread's part of || |A| |p| ||^2 in multiples of `unit`
///   team_compensated_residual(p, r, mask)  r = b - A p where the mask holds, by compensated sums
///   team_sum, team_maximum           over all rows, the result held by every thread
///   any(mask)                        whether a lane of any thread in step has the mask
///   scaled(), unscaled(i, r)         whether A and b are those of a scaled system; element r of a residual in the given system's
///   units begin_cycle, record_true         see History
/// For methods that iterate and for preconditioners it has, too,
///   team_multiply(p, y, each)        y = A p, and each(i, y[i]) for the thread's elements
///   diagonal(i), preparation(k)      A's diagonal; the k-th vector of the preconditioner's memory
///   record                           see History
template <class Context>
concept SystemContext = requires(Context& context, typename Context::Vector& vector, typename Context::Value value,
                                 RealOf<typename Context::Value> real, MaskOf<typename Context::Value> mask,
                                 CountOf<typename Context::Value> count, int i) {
  StridedRange(context.my_rows());
  vector = context.vector(i);
  value = context.rhs(i);
  value = context.guess(i);
  context.update_solution(i, value, mask);
  real = context.team_residual(vector, vector, real);
  context.team_compensated_residual(vector, vector, mask);
  context.team_sum(real);
  context.team_maximum(real);
  static_cast<bool>(context.any(mask));
  static_cast<bool>(context.scaled());
  real = context.unscaled(i, real);
  context.begin_cycle(real, count);
  context.record_true(count, mask, real);
};

}  // namespace phpc::batch
