#pragma once
#include "batch/precond/any_preconditioner.hpp"

namespace phpc::batch {

/// Stands for a method where a preconditioner's factors are made to be kept.
struct KeptPreconditioner {
  template <class Space>
  [[gnu::always_inline]] static void factorise(Space& space) {
    static_cast<void>(AnyPreconditioner<Space>(space));
  }
};

}  // namespace phpc::batch
