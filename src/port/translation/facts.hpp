#pragma once
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <map>
#include <set>
#include <vector>

#include "port/edits/edits.hpp"
#include "port/precompiled/header_uses.hpp"

namespace phpc::port {

/// The declaration that stands for a function wherever the function is named: a template's for its instantiations.
const clang::FunctionDecl* canonical(const clang::FunctionDecl* function);

/// The call graph of a translation unit, with what each function does.
class Facts {
 public:
  /// `headers`: those of the precompiled headers that the source includes; null where none are used.
  explicit Facts(clang::ASTContext& context, const IncludedHeaders* headers);

  /// Whether device code names what precompiled headers have that the source does not include.
  [[nodiscard]] bool depend_on_others() const;

  /// Whether the text of a function names threadIdx, blockIdx, blockDim or gridDim, and it has them from nowhere: it is neither a
  /// kernel nor a lambda that captures what its kernel has.
  [[nodiscard]] bool asks_indices(const clang::FunctionDecl* function) const;
  /// The variables in shared memory at namespace scope that the text of a function names.
  [[nodiscard]] const std::vector<const clang::VarDecl*>& shared_globals(const clang::FunctionDecl* function) const;
  /// What the threads of a kernel do together (How), in all that it calls. A call of an unknown function counts as anything.
  /// Threads may exchange values by shared memory in step where there is no barrier, or volatile memory, as old sources have it
  /// for that, and no __syncwarp().
  [[nodiscard]] unsigned how(const clang::FunctionDecl* kernel) const;
  /// Whether a function that no kernel may call names a device variable.
  [[nodiscard]] bool is_named_by_host(const clang::VarDecl* variable) const;
  /// Whether a kernel may call a function.
  [[nodiscard]] bool runs_on_device(const clang::FunctionDecl* function) const;
  /// Whether a kernel of this translation unit may call a function.
  [[nodiscard]] bool serves_a_kernel(const clang::FunctionDecl* function) const;
  /// Whether a function and all that it calls are for devices. A function that is for the host too may call functions of the host
  /// alone, as long as no kernel calls it.
  [[nodiscard]] bool is_fit_for_devices(const clang::FunctionDecl* function) const;

 private:
  friend class FactCollector;
  struct Function {
    bool names_indices = false;
    bool is_kernel = false;
    unsigned how = independent;
    bool calls_unknown = false;
    bool names_volatile = false;  ///< an array of volatile elements, a pointer to some, or other memory by a volatile type
    bool syncs_warp = false;
    bool names_others = false;  ///< something of precompiled headers that are not included
    bool exchanges = false;     ///< names shared memory otherwise than for an element of the thread's own, x[threadIdx.x]
    std::set<const clang::FunctionDecl*> calls;
    std::vector<const clang::VarDecl*> shared_globals;
    std::set<const clang::VarDecl*> device_variables;
  };
  /// Sets what runs on devices, and what kernels call, by what is known of functions so far.
  void find_device_code();
  /// A function and all that it calls.
  [[nodiscard]] std::vector<const Function*> reached_from(const clang::FunctionDecl* function) const;

  /// Functions and all that they call.
  [[nodiscard]] std::set<const clang::FunctionDecl*> with_callees(std::vector<const clang::FunctionDecl*> functions) const;

  std::map<const clang::FunctionDecl*, Function> functions_;
  std::set<const clang::FunctionDecl*> on_device_;
  std::set<const clang::FunctionDecl*> for_kernels_;
};

}  // namespace phpc::port
