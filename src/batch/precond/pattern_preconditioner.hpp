#pragma once
#include "batch/precond/block_jacobi.hpp"
#include "batch/precond/ilu.hpp"
#include "batch/precond/ilu_isai.hpp"
#include "batch/precond/isai.hpp"
#include "batch/precond/pattern_tables.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// The preconditioners that work with a PatternTable, one of them at run time, as the table says: kernels with each of them of
/// their own would take four times as long to compile as all others, and gain nothing from it.
///
/// Each is a class made of a space (pointers into its preparation, no work), with
///   need(rows, entries, table)   values of preparation, the result of apply first
///   prepare(space)               all threads of the team call it
///   apply(space, r)              the result is M^-1 r; all threads of the team call it, with barriers at both ends
template <class Space>
class PatternPreconditioner {
 public:
  static constexpr bool is_identity = false;
  static constexpr bool is_symmetric = false;  // isai and ilu-isai are not, of a symmetric A even
  using Vector = typename Space::Vector;

  static index_t need(index_t rows, index_t entries, const std::int32_t* table) {
    switch (static_cast<PatternKind>(table[0])) {
      case PatternKind::block_jacobi:
        return BlockJacobi<Space>::need(rows, entries, table);
      case PatternKind::ilu:
        return Ilu<Space>::need(rows, entries, table);
      case PatternKind::isai:
        return Isai<Space>::need(rows, entries, table);
      case PatternKind::ilu_isai:
        return IluIsai<Space>::need(rows, entries, table);
    }
    return 0;
  }

  [[gnu::always_inline]] explicit PatternPreconditioner(Space& space) : result_(space.preparation(0)) {
    switch (static_cast<PatternKind>(space.table()[0])) {
      case PatternKind::block_jacobi:
        BlockJacobi<Space>(space).prepare(space);
        break;
      case PatternKind::ilu:
        Ilu<Space>(space).prepare(space);
        break;
      case PatternKind::isai:
        Isai<Space>(space).prepare(space);
        break;
      case PatternKind::ilu_isai:
        IluIsai<Space>(space).prepare(space);
        break;
    }
  }

  [[nodiscard, gnu::always_inline]] const Vector& apply(Space& space, const Vector& r) {
    switch (static_cast<PatternKind>(space.table()[0])) {
      case PatternKind::block_jacobi:
        BlockJacobi<Space>(space).apply(space, r);
        break;
      case PatternKind::ilu:
        Ilu<Space>(space).apply(space, r);
        break;
      case PatternKind::isai:
        Isai<Space>(space).apply(space, r);
        break;
      case PatternKind::ilu_isai:
        IluIsai<Space>(space).apply(space, r);
        break;
    }
    return result_;
  }

 private:
  Vector result_;
};

}  // namespace phpc::batch
