#pragma once
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/StringRef.h>

/// Questions about declarations, types and places in memory, as their text names them.
namespace phpc::port {

/// The name of a declaration, or nothing where it is an operator, say.
llvm::StringRef simple_name(const clang::NamedDecl* declaration);
/// Whether a variable is threadIdx, blockIdx, blockDim or gridDim.
bool is_index(const clang::ValueDecl* declaration);
/// Whether callers of a function of this name, one of a block or a warp, wait for other threads.
bool waits_for_others(llvm::StringRef name);
/// Whether a type is an array of volatile elements, or a pointer to some.
bool is_of_volatile(clang::QualType type);
/// Whether what a variable names lies in memory of the whole grid: a device variable, or what a kernel's own parameter points to.
bool is_of_grid(const clang::VarDecl* variable);
/// The variable that a place's text begins with: x of x.y, x[i], *x, *(T*)&x[i] and *(x + i); null where there is none.
const clang::VarDecl* first_variable(const clang::Expr* place);
/// Whether objects of a type are arrays or hold some.
bool holds_array(clang::QualType type);
/// The destructor of a class, or of an array's elements, that does something; null for other types.
const clang::CXXDestructorDecl* destructor_of(clang::QualType type);
/// Whether an expression names a variable that may be a thread's own, or a part of one: no memory that a pointer leads to.
bool may_be_own(const clang::Expr* place);
/// Whether a function is marked for devices, or is a kernel.
bool is_device_function(const clang::FunctionDecl* function);

}  // namespace phpc::port
