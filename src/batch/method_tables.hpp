#pragma once
#include <string_view>

#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/precond/pattern_preconditioner.hpp"
#include "batch/precond/pattern_tables.hpp"

/// The tables that kernels are instantiated over: one row for each preconditioner and team size.
namespace phpc::batch {

template <template <class> class P>
struct PreconditionerRow {
  template <class Space>
  using Preconditioner = P<Space>;
  std::string_view name;
  PatternTable (*table)(const CsrPattern&, const Options&) = nullptr;  ///< what it works out of a pattern, or nothing
};

template <int Size>
struct TeamRow {
  static constexpr int size = Size;
};

/// Calls action(row) for every row of a table: the preconditioners with kernels of their own, and those that kernels choose from
/// at run time.
template <class Action>
void for_each_plain_preconditioner(Action action) {
  action(PreconditionerRow<JacobiPreconditioner>{"jacobi"});
  action(PreconditionerRow<IdentityPreconditioner>{"none"});
}
template <class Action>
void for_each_pattern_preconditioner(Action action) {
  action(PreconditionerRow<PatternPreconditioner>{"block-jacobi", block_jacobi_table});
  action(PreconditionerRow<PatternPreconditioner>{"ilu", ilu_table});
  action(PreconditionerRow<PatternPreconditioner>{"isai", isai_table});
  action(PreconditionerRow<PatternPreconditioner>{"ilu-isai", ilu_isai_table});
}
template <class Action>
void for_each_preconditioner(Action action) {
  for_each_plain_preconditioner(action);
  for_each_pattern_preconditioner(action);
}

/// Calls action(row) for the plain row of that name, if Method is preconditioned, else for the identity's.
template <class Method, class Action>
void with_plain_preconditioner(std::string_view name, Action action) {
  if constexpr (Method::preconditioned) {
    for_each_plain_preconditioner([&](auto row) {
      if (row.name == name) {
        action(row);
      }
    });
  } else {
    action(PreconditionerRow<IdentityPreconditioner>{"none"});
  }
}

/// The team sizes of a method's kernels: all for the two that the tables of README.md are about, in double, and three for the
/// others, whose kernels would else take as long to compile as the rest of the library.
template <class T, class Method, class Action>
void for_each_team_size(Action action) {
  constexpr bool many = Method::many_team_sizes && sizeof(T) == sizeof(double);
  action(TeamRow<1>{});  // the x86_64 offload device, whose threads are worth more as teams of their own
  if constexpr (many) {
    action(TeamRow<32>{});
  }
  action(TeamRow<64>{});
  if constexpr (many) {
    action(TeamRow<128>{});
  }
  action(TeamRow<256>{});
}

/// Those of every method's kernels with a pattern's preconditioner.
template <class Action>
void for_each_pattern_team_size(Action action) {
  action(TeamRow<1>{});
  action(TeamRow<64>{});
}

}  // namespace phpc::batch
