#pragma once
#include "batch/precond/any_preconditioner.hpp"

namespace phpc::batch {

/// Stands for a method where a preconditioner's factors are made to be kept.
struct KeptPreconditioner {
  template <class Context>
  [[gnu::always_inline]] static void team_factorise(Context& context) {
    static_cast<void>(AnyPreconditioner<Context>(context));
  }
};

}  // namespace phpc::batch
