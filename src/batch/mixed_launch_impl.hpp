#pragma once
#include "batch/method_tables.hpp"
#include "batch/mixed_dispatch.hpp"

namespace phpc::batch {

/// The team sizes of kernels with cycles of float: few, as each costs half a second of compile time a method and target.
inline constexpr int mixed_team_sizes[] = {1, 64, 256};

/// Calls action(row) for the preconditioners that such kernels take.
template <class Action>
void for_each_mixed_preconditioner(Action action) {
  action(PreconditionerRow<JacobiPreconditioner>{"jacobi"});
  action(PreconditionerRow<IdentityPreconditioner>{"none"});
}

/// Calls action(row) for the row of that name, if Method is preconditioned, else for the identity's.
template <class Method, class Action>
void with_mixed_preconditioner(std::string_view name, Action action) {
  if constexpr (Method::preconditioned) {
    for_each_mixed_preconditioner([&](auto row) {
      if (row.name == name) {
        action(row);
      }
    });
  } else {
    action(PreconditionerRow<IdentityPreconditioner>{"none"});
  }
}

}  // namespace phpc::batch
