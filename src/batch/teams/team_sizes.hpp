#pragma once
#include <type_traits>

#include "batch/math/value.hpp"
#include "batch/solver/cycle.hpp"

/// The team sizes that kernels with a team for each system exist for.
namespace phpc::batch {

/// Threads of a GPU's team of every method's general kernel. The host and the x86_64 device have that kernel alone, in teams of
/// one.
inline constexpr int general_team_size = 64;

template <int Size>
struct TeamRow {
  static constexpr int size = Size;
};

/// Whether a method has plain kernels; complex numbers have general kernels alone.
template <class T, class Method>
inline constexpr bool has_plain_kernels = Method::plain_kernels != KernelSizes::none && !is_complex<T>;

/// Calls action(TeamRow) for each team size of a method's plain kernels, which are for GPUs: four for KernelSizes::all in double,
/// the methods that the tables of bench/README.md are about. Each kernel takes seconds to compile, so other methods have two
/// sizes or none, and their general kernels do the rest.
template <class T, class Method, class Action>
void for_each_team_size(Action action) {
  constexpr bool many = Method::plain_kernels == KernelSizes::all && std::is_same_v<T, double>;
  if constexpr (has_plain_kernels<T, Method>) {
    if constexpr (many) {
      action(TeamRow<32>{});
    }
    action(TeamRow<64>{});
    if constexpr (many) {
      action(TeamRow<128>{});
    }
    action(TeamRow<256>{});
  }
}

}  // namespace phpc::batch
