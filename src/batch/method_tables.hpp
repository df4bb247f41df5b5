#pragma once
#include <string_view>

#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"

/// The tables that kernels are instantiated over: one row for each preconditioner and team size.
namespace phpc::batch {

template <template <class> class P>
struct PreconditionerRow {
  template <class Space>
  using Preconditioner = P<Space>;
  std::string_view name;
};

template <int Size>
struct TeamRow {
  static constexpr int size = Size;
};

/// Calls action(row) for every row of a table.
template <class Action>
void for_each_preconditioner(Action action) {
  action(PreconditionerRow<JacobiPreconditioner>{"jacobi"});
  action(PreconditionerRow<IdentityPreconditioner>{"none"});
}

template <class Action>
void for_each_team_size(Action action) {
  action(TeamRow<1>{});  // the x86_64 offload device, whose threads are worth more as teams of their own
  action(TeamRow<32>{});
  action(TeamRow<64>{});
  action(TeamRow<128>{});
  action(TeamRow<256>{});
}

}  // namespace phpc::batch
