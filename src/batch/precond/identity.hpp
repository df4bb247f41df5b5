#pragma once
#include "batch/csr_system.hpp"

namespace phpc::batch {

/// No preconditioning: M = I.
///
/// A preconditioner has these three members. `work` is scratch_need() values of the system's own, in scratch or global memory.
template <class T>
class IdentityPreconditioner {
 public:
  /// Values of work for a system with so many rows and entries.
  static index_t scratch_need(index_t /*rows*/, index_t /*entries*/) { return 0; }

  /// Prepares M for one system; all threads of the team call it.
  [[gnu::always_inline]] void generate(const exec::Team& /*team*/, const CsrSystem<T>& /*matrix*/, T* /*work*/) {}

  /// M^-1 r, valid until the next apply. All threads of the team call it, each with its own elements of r written; each then
  /// holds its own elements of the result (barriers within, where others' are needed, are this member's).
  [[nodiscard, gnu::always_inline]] const T* apply(const exec::Team& /*team*/, std::int32_t /*rows*/, const T* r) const {
    return r;
  }
};

}  // namespace phpc::batch
