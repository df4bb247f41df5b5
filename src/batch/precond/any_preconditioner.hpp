#pragma once
#include "batch/precond/block_jacobi.hpp"
#include "batch/precond/ilu.hpp"
#include "batch/precond/ilu_isai.hpp"
#include "batch/precond/isai.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/precond/pattern_tables.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Any preconditioner, at run time, as the PatternTable says: kernels with each of them of their own would take four times as
/// long to compile as all others, and gain nothing from it.
///
/// Each that works with more of the table is a class made of a space (pointers into its preparation, no work), with
///   need(rows, entries, table)   values of preparation, the result of apply first
///   prepare(space)               all threads of the team call it
///   apply(space, r)              the result is M^-1 r; all threads of the team call it, with barriers at both ends
template <class Space>
class AnyPreconditioner {
 public:
  static constexpr bool is_identity = false;
  using Vector = typename Space::Vector;

  static index_t need(index_t rows, index_t entries, const std::int32_t* table) {
    switch (static_cast<PatternKind>(table[0])) {
      case PatternKind::none:
        return 0;
      case PatternKind::jacobi:
        return JacobiPreconditioner<Space>::need(rows, entries);
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

  /// The first of them, which stay a solve's own where the others are kept.
  static index_t need_with_factors(index_t rows, const std::int32_t* table) {
    switch (static_cast<PatternKind>(table[0])) {
      case PatternKind::none:
        return 0;
      case PatternKind::jacobi:
        return JacobiPreconditioner<Space>::need_with_factors(rows, table);
      case PatternKind::ilu_isai:
        return 2 * rows;  // what apply has between its products, too
      default:
        return rows;
    }
  }

  [[gnu::always_inline]] explicit AnyPreconditioner(Space& space)
      : kind_(static_cast<PatternKind>(space.table()[0])), result_(space.preparation(0)) {
    if (kind_ == PatternKind::jacobi || !space.has_factors()) {
      prepare(space);
    }
  }

  /// isai and ilu-isai are not, of a symmetric A even; block Jacobi's exchanges of rows and ilu's order of work round
  /// unsymmetrically.
  [[nodiscard, gnu::always_inline]] bool is_symmetric() const {
    return kind_ == PatternKind::none || kind_ == PatternKind::jacobi;
  }

  [[nodiscard, gnu::always_inline]] const Vector& apply(Space& space, const Vector& r) {
    switch (kind_) {
      case PatternKind::none:
        return r;
      case PatternKind::jacobi:
        apply_jacobi(space, r);
        break;
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
  [[gnu::always_inline]] void prepare(Space& space) const {
    switch (kind_) {
      case PatternKind::none:
        break;
      case PatternKind::jacobi:
        static_cast<void>(JacobiPreconditioner<Space>(space));
        break;
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

  [[gnu::always_inline]] void apply_jacobi(const Space& space, const Vector& r) {
    const Vector inverse_diagonal = JacobiPreconditioner<Space>::inverse_diagonal(space);
    for (const int i : space.own()) {
      result_[i] = inverse_diagonal[i] * r[i];
    }
  }

  PatternKind kind_;
  Vector result_;
};

}  // namespace phpc::batch
