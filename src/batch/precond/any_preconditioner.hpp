#pragma once
#include "batch/precond/block_jacobi.hpp"
#include "batch/precond/ilu.hpp"
#include "batch/precond/ilu_isai.hpp"
#include "batch/precond/isai.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/precond/pattern_tables.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Any of the preconditioners, chosen at run time by the first integer of the PatternTable: kernels for each of them would take
/// four times as long to compile as all other kernels, and be no quicker.
///
/// The classes that it chooses among are made of a context (pointers into its preparation, no work) and have
///   workspace_size(rows, entries, table)  values of preparation, of which the first `rows` are the result of team_apply
///   team_prepare(context)                 makes M; all threads of the team call it
///   team_apply(context, r)                makes M^-1 r; all threads of the team call it, with barriers at both ends
template <class Context>
class AnyPreconditioner {
 public:
  static constexpr bool is_identity = false;
  using Vector = typename Context::Vector;

  static index_t workspace_size(index_t rows, index_t entries, const std::int32_t* table) {
    switch (static_cast<PatternKind>(table[0])) {
      case PatternKind::none:
        return 0;
      case PatternKind::jacobi:
        return JacobiPreconditioner<Context>::workspace_size(rows, entries);
      case PatternKind::block_jacobi:
        return BlockJacobi<Context>::workspace_size(rows, entries, table);
      case PatternKind::ilu:
        return Ilu<Context>::workspace_size(rows, entries, table);
      case PatternKind::isai:
        return Isai<Context>::workspace_size(rows, entries, table);
      case PatternKind::ilu_isai:
        return IluIsai<Context>::workspace_size(rows, entries, table);
    }
    return 0;
  }

  /// Values of preparation that each solve has of its own where the factors, which follow them, are kept.
  static index_t workspace_size_with_factors(index_t rows, const std::int32_t* table) {
    switch (static_cast<PatternKind>(table[0])) {
      case PatternKind::none:
        return 0;
      case PatternKind::jacobi:
        return JacobiPreconditioner<Context>::workspace_size_with_factors(rows, table);
      case PatternKind::ilu_isai:
        return 2 * rows;  // the result, and the vector between the two products of team_apply
      default:
        return rows;
    }
  }

  [[gnu::always_inline]] explicit AnyPreconditioner(Context& context)
      : kind_(static_cast<PatternKind>(context.table()[0])), result_(context.preparation(0)) {
    if (kind_ == PatternKind::jacobi || !context.has_factors()) {
      team_prepare(context);
    }
  }

  /// Whether M is symmetric where A is. Those of isai and ilu-isai are not; row exchanges of block Jacobi and the order of work
  /// of ilu round unsymmetrically.
  [[nodiscard, gnu::always_inline]] bool is_symmetric() const {
    return kind_ == PatternKind::none || kind_ == PatternKind::jacobi;
  }

  [[nodiscard, gnu::always_inline]] const Vector& team_apply(Context& context, const Vector& r) {
    switch (kind_) {
      case PatternKind::none:
        return r;
      case PatternKind::jacobi:
        team_apply_jacobi(context, r);
        break;
      case PatternKind::block_jacobi:
        BlockJacobi<Context>(context).team_apply(context, r);
        break;
      case PatternKind::ilu:
        Ilu<Context>(context).team_apply(context, r);
        break;
      case PatternKind::isai:
        Isai<Context>(context).team_apply(context, r);
        break;
      case PatternKind::ilu_isai:
        IluIsai<Context>(context).team_apply(context, r);
        break;
    }
    return result_;
  }

 private:
  [[gnu::always_inline]] void team_prepare(Context& context) const {
    switch (kind_) {
      case PatternKind::none:
        break;
      case PatternKind::jacobi:
        static_cast<void>(JacobiPreconditioner<Context>(context));
        break;
      case PatternKind::block_jacobi:
        BlockJacobi<Context>(context).team_prepare(context);
        break;
      case PatternKind::ilu:
        Ilu<Context>(context).team_prepare(context);
        break;
      case PatternKind::isai:
        Isai<Context>(context).team_prepare(context);
        break;
      case PatternKind::ilu_isai:
        IluIsai<Context>(context).team_prepare(context);
        break;
    }
  }

  [[gnu::always_inline]] void team_apply_jacobi(const Context& context, const Vector& r) {
    const Vector inverse_diagonal = JacobiPreconditioner<Context>::inverse_diagonal(context);
    for (const int i : context.my_rows()) {
      result_[i] = inverse_diagonal[i] * r[i];
    }
  }

  PatternKind kind_;
  Vector result_;
};

}  // namespace phpc::batch
