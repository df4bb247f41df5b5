#include "port/translation/declarations.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace phpc::port {

llvm::StringRef simple_name(const clang::NamedDecl* declaration) {
  return declaration->getDeclName().isIdentifier() ? declaration->getName() : llvm::StringRef();
}

bool is_index(const clang::ValueDecl* declaration) {
  const llvm::StringRef name = simple_name(declaration);
  return declaration->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         (name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim");
}

bool waits_for_others(llvm::StringRef name) {
  return name == "__syncthreads" || name.starts_with("__syncthreads_") || name == "__syncwarp" || name.starts_with("__shfl") ||
         name.starts_with("__ballot") || name.starts_with("__any") || name.starts_with("__all") || name == "__activemask" ||
         name.starts_with("__match_") || (name.starts_with("__reduce_") && name.ends_with("_sync")) || name == "__barrier_sync" ||
         name == "phpc_cuda_barrier" || name == "phpc_cuda_meet";
}

bool is_of_volatile(clang::QualType type) {
  while (const clang::ArrayType* const array = type->getAsArrayTypeUnsafe()) {
    type = array->getElementType();
    if (type.isVolatileQualified()) {
      return true;
    }
  }
  return type->isPointerType() && type->getPointeeType().isVolatileQualified();
}

bool is_of_grid(const clang::VarDecl* variable) {
  const auto* const parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
  return (parameter != nullptr && llvm::isa<clang::FunctionDecl>(parameter->getDeclContext()) &&
          llvm::cast<clang::FunctionDecl>(parameter->getDeclContext())->hasAttr<clang::CUDAGlobalAttr>()) ||
         (variable->hasAttr<clang::CUDADeviceAttr>() && !variable->hasAttr<clang::CUDASharedAttr>());
}

const clang::VarDecl* first_variable(const clang::Expr* place) {
  for (;;) {
    place = place->IgnoreParenCasts();
    if (const auto* const member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      place = member->getBase();
    } else if (const auto* const element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      place = element->getBase();
    } else if (const auto* const one = llvm::dyn_cast<clang::UnaryOperator>(place)) {
      place = one->getSubExpr();
    } else if (const auto* const sum = llvm::dyn_cast<clang::BinaryOperator>(place); sum != nullptr && sum->isAdditiveOp()) {
      place = sum->getLHS()->getType()->isIntegerType() ? sum->getRHS() : sum->getLHS();
    } else {
      const auto* const reference = llvm::dyn_cast<clang::DeclRefExpr>(place);
      return reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    }
  }
}

bool holds_array(clang::QualType type) {
  if (type.isNull() || type->isDependentType()) {
    return false;  // the instantiations tell
  }
  if (type->isArrayType()) {
    return true;
  }
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  record = record == nullptr ? nullptr : record->getDefinition();
  return record != nullptr &&
         (std::ranges::any_of(record->bases(), [](const auto& base) { return holds_array(base.getType()); }) ||
          std::ranges::any_of(record->fields(), [](const auto* field) { return holds_array(field->getType()); }));
}

const clang::CXXDestructorDecl* destructor_of(clang::QualType type) {
  if (type.isNull() || type->isDependentType()) {
    return nullptr;
  }
  const clang::CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  record = record == nullptr ? nullptr : record->getDefinition();
  return record == nullptr || record->hasTrivialDestructor() ? nullptr : record->getDestructor();
}

bool may_be_own(const clang::Expr* place) {
  for (;;) {
    place = place->IgnoreParenCasts();
    const auto* const member = llvm::dyn_cast<clang::MemberExpr>(place);
    const auto* const element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place);
    if (member != nullptr && llvm::isa<clang::VarDecl>(member->getMemberDecl())) {
      return false;  // a static member
    }
    if (member != nullptr && member->isArrow()) {
      return llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenCasts());
    }
    if (member != nullptr) {
      place = member->getBase();
    } else if (element != nullptr && element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType()) {
      place = element->getBase();
    } else {
      break;
    }
  }
  const auto* const reference = llvm::dyn_cast<clang::DeclRefExpr>(place);
  const auto* const variable = reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  return variable != nullptr && variable->hasLocalStorage() && !variable->hasAttr<clang::CUDASharedAttr>();
}

bool is_device_function(const clang::FunctionDecl* function) {
  return function->hasAttr<clang::CUDADeviceAttr>() || function->hasAttr<clang::CUDAGlobalAttr>();
}

}  // namespace phpc::port
