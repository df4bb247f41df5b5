#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/TypeLoc.h>

#include <algorithm>

#include "port/translation/translator.hpp"

/// Pointers to kernels: what a kernel's name stands for, its launcher, takes a Grid before its arguments, so the types that are
/// written for such pointers get one too.
namespace phpc::port {

namespace {

/// Finds the function types in the text of a type: behind pointers, in arrays, arguments of templates, and what typedefs stand
/// for.
class FunctionTypes : public clang::RecursiveASTVisitor<FunctionTypes> {
 public:
  /// Those that are `wanted`, or, where either depends on a template, may be.
  explicit FunctionTypes(clang::QualType wanted) : wanted_(wanted) {}

  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc name) {
    const clang::TypeSourceInfo* const defined = name.getTypedefNameDecl()->getTypeSourceInfo();
    return defined == nullptr || TraverseTypeLoc(defined->getTypeLoc());
  }

  bool VisitFunctionTypeLoc(clang::FunctionTypeLoc function) {
    const clang::QualType type = function.getType().getCanonicalType();
    if (type->isDependentType() || wanted_.isNull() || type == wanted_) {
      found.push_back(function);
    }
    return true;
  }

  bool VisitDecltypeTypeLoc(clang::DecltypeTypeLoc /*type*/) {
    is_derived = true;
    return true;
  }

  std::vector<clang::FunctionTypeLoc> found;
  bool is_derived = false;  ///< from the type of an expression, which is translated where that is

 private:
  clang::QualType wanted_;
};

/// The function type that a callee points to; null where it depends on a template.
clang::QualType function_type(const clang::Expr* callee) {
  clang::QualType type = callee->getType();
  if (type.isNull() || callee->isTypeDependent()) {
    return {};
  }
  if (const auto* const pointer = type->getAs<clang::PointerType>()) {
    type = pointer->getPointeeType();
  }
  return type->isFunctionType() && !type->isDependentType() ? type.getCanonicalType() : clang::QualType();
}

/// The expression that an element, a member or what a pointer leads to is a part of; null for others.
const clang::Expr* whole_of(const clang::Expr* part) {
  if (const auto* const operation = llvm::dyn_cast<clang::UnaryOperator>(part)) {
    return operation->getSubExpr();
  }
  if (const auto* const element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part)) {
    return element->getBase();
  }
  if (const auto* const operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(part)) {
    return operation->getArg(0);
  }
  if (const auto* const call = llvm::dyn_cast<clang::CXXMemberCallExpr>(part)) {
    return call->getImplicitObjectArgument();
  }
  if (const auto* const member = llvm::dyn_cast<clang::MemberExpr>(part)) {
    return member->getBase();
  }
  return nullptr;
}

/// The variable, member or function that an expression is or calls; null for others.
const clang::DeclaratorDecl* named_by(const clang::Expr* expression) {
  if (const auto* const reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* const binding = llvm::dyn_cast<clang::BindingDecl>(reference->getDecl());
    return binding != nullptr && binding->getBinding() != nullptr ? named_by(binding->getBinding()->IgnoreParenImpCasts())
                                                                  : llvm::dyn_cast<clang::DeclaratorDecl>(reference->getDecl());
  }
  if (const auto* const member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    return llvm::dyn_cast<clang::DeclaratorDecl>(member->getMemberDecl());
  }
  if (const auto* const call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    return call->getDirectCallee();
  }
  return nullptr;
}

}  // namespace

bool Translator::add_grid_to_pointer(const clang::Expr* callee) {
  const clang::QualType wanted = function_type(callee);
  const clang::Expr* expression = callee;
  while (expression != nullptr) {
    expression = expression->IgnoreParenImpCasts()->IgnoreImplicit();
    if (const auto* const cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expression)) {
      return add_grid_to_type(cast->getTypeInfoAsWritten()->getTypeLoc(), wanted);
    }
    if (const auto* const choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression)) {
      return add_grid_to_pointer(choice->getTrueExpr()) && add_grid_to_pointer(choice->getFalseExpr());
    }
    const clang::DeclaratorDecl* const named = named_by(expression);
    if (named == nullptr || !text_.is_users(named->getLocation())) {
      const clang::Expr* const whole = whole_of(expression);
      if (whole == nullptr) {
        return named == nullptr;  // a template's parameter, or what depends on one
      }
      expression = whole;  // the second of a std::pair, say
      continue;
    }
    const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(named);
    if (function != nullptr && !llvm::isa<clang::CallExpr>(expression)) {
      return true;  // the kernel itself
    }
    const clang::QualType type = function == nullptr ? named->getType() : function->getReturnType();
    if (type->getContainedAutoType() == nullptr) {
      const clang::TypeSourceInfo* const written = named->getTypeSourceInfo();
      return written != nullptr &&
             add_grid_to_type(function == nullptr ? written->getTypeLoc() : function->getFunctionTypeLoc().getReturnLoc(),
                              wanted);
    }
    const auto* const variable = llvm::dyn_cast<clang::VarDecl>(named);
    expression = variable == nullptr ? nullptr : variable->getInit();
  }
  return true;  // auto: the type of what is translated elsewhere
}

bool Translator::uncover_kernel(const clang::Expr* argument) {
  while (const auto* const cast = llvm::dyn_cast<clang::ExplicitCastExpr>(argument->IgnoreParenImpCasts())) {
    const clang::Expr* const inner = cast->getSubExprAsWritten();
    const auto* const named = llvm::dyn_cast<clang::CXXNamedCastExpr>(cast);
    const auto* const c_style = llvm::dyn_cast<clang::CStyleCastExpr>(cast);
    const auto from = text_.place(cast->getBeginLoc());
    const auto to = named != nullptr     ? text_.end_of_token(named->getAngleBrackets().getEnd())
                    : c_style != nullptr ? text_.end_of_token(c_style->getRParenLoc())
                                         : std::nullopt;
    if (!from || !to || from->path != to->path) {
      return false;
    }
    replace(*from, *to, "");
    argument = inner;
  }
  argument = argument->IgnoreParenImpCasts();
  const bool is_pointer_to_kernel = argument->isTypeDependent() || !function_type(argument).isNull() ||
                                    argument->getType()->isSpecificBuiltinType(clang::BuiltinType::Overload);
  return (is_pointer_to_kernel || llvm::isa<clang::UnaryOperator>(argument)) && add_grid_to_pointer(argument);
}

bool Translator::add_grid_to_type(clang::TypeLoc written, clang::QualType wanted) {
  FunctionTypes types(wanted);
  types.TraverseTypeLoc(written);
  for (const clang::FunctionTypeLoc function : types.found) {
    const auto open = text_.place(function.getLParenLoc());
    if (!open) {
      return false;
    }
    edit({open->path, open->offset + 1}, 0, std::string("phpc::cuda::Grid") + (function.getNumParams() > 0 ? ", " : ""));
  }
  return !types.found.empty() || types.is_derived || written.getType()->isDependentType();
}

}  // namespace phpc::port
