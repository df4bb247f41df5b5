#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <set>

#include "port/translation/translator.hpp"

/// What is known of a kernel that a call asks about, as cudaFuncGetAttributes does: its static shared memory and its launch
/// bounds go along with it, `phpc::cuda::with_attributes(scale, 4096, 256)`.
namespace phpc::port {

namespace {

/// Adds up the variables in shared memory of a function and of all that it calls, laid out one after another.
class SharedBytes : public clang::RecursiveASTVisitor<SharedBytes> {
 public:
  explicit SharedBytes(const clang::ASTContext& context) : context_(context) {}

  void add(const clang::FunctionDecl* function) {
    const clang::FunctionDecl* defined = nullptr;
    if (function != nullptr && function->hasBody(defined) && seen_.insert(defined->getCanonicalDecl()).second) {
      TraverseStmt(defined->getBody());
    }
  }

  bool VisitVarDecl(clang::VarDecl* variable) {
    const bool is_static = variable->hasAttr<clang::CUDASharedAttr>() && !variable->getType()->isIncompleteType();
    if (is_static && !variable->getType()->isDependentType() && seen_.insert(variable->getCanonicalDecl()).second) {
      const auto alignment = static_cast<std::uint64_t>(context_.getDeclAlign(variable).getQuantity());
      bytes = (bytes + alignment - 1) / alignment * alignment +
              static_cast<std::uint64_t>(context_.getTypeSizeInChars(variable->getType()).getQuantity());
    }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (auto* const variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      VisitVarDecl(variable);
    }
    add(llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()));
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* member) {
    add(llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()));
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construction) {
    add(construction->getConstructor());
    return true;
  }

  std::uint64_t bytes = 0;

 private:
  const clang::ASTContext& context_;
  std::set<const clang::Decl*> seen_;
};

}  // namespace

void Translator::add_attributes(const clang::CallExpr* call, const clang::Expr* argument) {
  const clang::Expr* expression = argument->IgnoreParenCasts();
  if (const auto* const address = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    expression = address->getSubExpr()->IgnoreParens();
  }
  const auto* const named = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  const auto* const kernel = named == nullptr ? nullptr : llvm::dyn_cast<clang::FunctionDecl>(named->getDecl());
  if (kernel == nullptr || !kernel->hasAttr<clang::CUDAGlobalAttr>() || kernel->isDependentContext()) {
    return;
  }
  // In a macro's text each use may ask about another kernel.
  clang::SourceLocation begin = call->getBeginLoc();
  while (begin.isMacroID() && text_.sources().isMacroArgExpansion(begin)) {
    begin = text_.sources().getImmediateSpellingLoc(begin);
  }
  const auto extent = extent_beside(text_, context_, argument->getSourceRange(), call->getBeginLoc());
  if (!begin.isFileID() || !extent) {
    return;
  }
  SharedBytes shared(context_);
  shared.add(kernel);
  std::string threads;
  if (const auto* const bounds = kernel->getAttr<clang::CUDALaunchBoundsAttr>()) {
    if (const auto value = bounds->getMaxThreads()->getIntegerConstantExpr(context_)) {
      threads = ", " + std::to_string(value->getExtValue());
    }
  }
  if (shared.bytes > 0 || !threads.empty()) {
    edit(extent->from, 0, "phpc::cuda::with_attributes(");
    edit(extent->to, 0, ", " + std::to_string(shared.bytes) + threads + ")");
  }
}

}  // namespace phpc::port
