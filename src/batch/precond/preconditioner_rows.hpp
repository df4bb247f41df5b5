#pragma once
#include <string_view>

#include "batch/precond/any_preconditioner.hpp"
#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/precond/pattern_tables.hpp"
#include "batch/solver/cycle.hpp"

/// The table of preconditioners that kernels are instantiated over.
namespace phpc::batch {

/// A preconditioner's name, its class and how its table is made of a pattern.
template <template <class> class P>
struct PreconditionerRow {
  template <class Context>
  using Preconditioner = P<Context>;
  std::string_view name;
  PatternTable (*table)(const CsrPattern&, const Options&) = nullptr;
};

/// Calls action(row) for the plain preconditioners, which have kernels of their own.
template <class Action>
void for_each_plain_preconditioner(Action action) {
  action(PreconditionerRow<JacobiPreconditioner>{"jacobi", jacobi_table});
  action(PreconditionerRow<IdentityPreconditioner>{"none", identity_table});
}
/// Calls action(row) for the preconditioners that only general kernels have, which choose among them at run time.
template <class Action>
void for_each_general_preconditioner(Action action) {
  action(PreconditionerRow<AnyPreconditioner>{"block-jacobi", block_jacobi_table});
  action(PreconditionerRow<AnyPreconditioner>{"ilu", ilu_table});
  action(PreconditionerRow<AnyPreconditioner>{"isai", isai_table});
  action(PreconditionerRow<AnyPreconditioner>{"ilu-isai", ilu_isai_table});
}
/// Calls action(row) for all preconditioners.
template <class Action>
void for_each_preconditioner(Action action) {
  for_each_plain_preconditioner(action);
  for_each_general_preconditioner(action);
}

/// Calls action(row) for the plain preconditioner of that name, or for the identity if Method takes no preconditioner.
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

/// Calls action(row) for the plain preconditioner of that name, or for AnyPreconditioner where there is none or the method has no
/// plain kernels. For host kernels, which are all general.
template <class Method, class Action>
void with_preconditioner(std::string_view name, Action action) {
  if constexpr (Method::preconditioned && Method::plain_kernels == KernelSizes::none) {
    action(PreconditionerRow<AnyPreconditioner>{"any"});
  } else {
    bool is_plain = false;
    with_plain_preconditioner<Method>(name, [&](auto row) {
      is_plain = true;
      action(row);
    });
    if constexpr (Method::preconditioned) {
      if (!is_plain) {
        action(PreconditionerRow<AnyPreconditioner>{"any"});
      }
    }
  }
}

/// Calls action(row) for the preconditioner of a general kernel: AnyPreconditioner, or the identity if Method takes none.
template <class Method, class Action>
void with_general_preconditioner(Action action) {
  if constexpr (Method::preconditioned) {
    action(PreconditionerRow<AnyPreconditioner>{"any"});
  } else {
    action(PreconditionerRow<IdentityPreconditioner>{"none"});
  }
}

}  // namespace phpc::batch
