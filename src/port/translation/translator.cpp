#include "port/translation/translator.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/StmtOpenMP.h>

namespace phpc::port {

Refusal Translator::about(clang::SourceLocation location, const std::string& what, const std::string& why) const {
  const clang::PresumedLoc presumed = text_.sources().getPresumedLoc(text_.sources().getExpansionLoc(location));
  return {presumed.isValid() ? presumed.getFilename() : "?", presumed.isValid() ? presumed.getLine() : 0, what, why};
}

void Translator::warn(clang::SourceLocation location, const std::string& what, const std::string& why) {
  translation_.warnings.add(about(location, what, why));
}

void Translator::refuse(clang::SourceLocation location, const std::string& what, const std::string& why) {
  if (translation_.keep_going) {
    if (const auto at = text_.place(text_.sources().getExpansionLoc(location))) {
      const std::string_view file = text_.file_text(at->path);
      const std::size_t line = at->offset == 0 ? 0 : file.rfind('\n', at->offset - 1) + 1;
      edit({at->path, line}, 0, "// not translated: " + what + "\n#error \"not translated: " + what + "\"\n");
    }
  }
  translation_.refusals.add(about(location, what, why));
}

void Translator::edit(const Place& place, std::size_t length, const std::string& text, unsigned how) {
  if (!translation_.edits.add(place.path, {place.offset, length, text, how})) {
    const std::string_view file = text_.file_text(place.path);
    const auto line =
        static_cast<unsigned>(1 + std::count(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(place.offset), '\n'));
    translation_.refusals.add({place.path, line, "text that would have to become two things", "is it a macro of several uses?"});
  }
}

void Translator::insert(clang::SourceLocation location, const std::string& text, unsigned how) {
  if (const auto at = text_.place(location)) {
    edit(*at, 0, text, how);
  }
}

void Translator::replace(const Place& from, const Place& to, const std::string& text) {
  if (from.path == to.path && from.offset <= to.offset) {
    edit(from, to.offset - from.offset, text);
  }
}

bool Translator::TraverseDecl(clang::Decl* declaration) {
  if (declaration == nullptr) {
    return true;
  }
  // Nothing is edited in headers that are not the user's.
  if (declaration->getDeclContext() != nullptr && declaration->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
      !text_.is_users(declaration->getLocation())) {
    return true;
  }
  const clang::FunctionDecl* const outer = function_;
  if (const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
    function_ = function;
  }
  const bool more = RecursiveASTVisitor::TraverseDecl(declaration);
  function_ = outer;
  return more;
}

bool Translator::VisitFunctionDecl(clang::FunctionDecl* function) {
  if (function->isImplicit() || !text_.is_users(function->getLocation())) {
    return true;
  }
  if (const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
      method != nullptr && method->getParent()->isLambda()) {
    return true;
  }
  if (function->hasAttr<clang::CUDAGlobalAttr>()) {
    translate_kernel(function);
    return true;
  }
  remove_words(function);
  if (function->doesThisDeclarationHaveABody()) {
    insert_at_body(function, function->getBody());
  }
  if (function->isThisDeclarationADefinition() && !function->isDeleted()) {
    make_in_device_images(function);
  }
  return true;
}

bool Translator::VisitLambdaExpr(clang::LambdaExpr* lambda) {
  remove_words(lambda->getCallOperator());
  insert_at_body(lambda->getCallOperator(), lambda->getBody());
  return true;
}

bool Translator::VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* launch) {
  if (reads_device_code()) {
    refuse(launch->getBeginLoc(), "dynamic parallelism", "kernels are launched by the host");
    return true;
  }
  if (!add_grid_to_pointer(launch->getCallee())) {
    refuse(launch->getBeginLoc(), "a kernel launched through a function pointer of this type", "declare the pointer with auto");
    return true;
  }
  translate_configuration(launch);
  return true;
}

bool Translator::VisitCallExpr(clang::CallExpr* call) {
  const clang::Expr* const callee = call->getCallee()->IgnoreParenImpCasts();
  const auto* const named = llvm::dyn_cast<clang::DeclRefExpr>(callee);
  const auto* const overloads = llvm::dyn_cast<clang::OverloadExpr>(callee);
  const clang::DeclarationName name = named != nullptr       ? named->getDecl()->getDeclName()
                                      : overloads != nullptr ? overloads->getName()
                                                             : clang::DeclarationName();
  if (call->getNumArgs() > 0 && name.isIdentifier() && name.getAsString() == "cudaLaunchKernel" &&
      text_.is_users(call->getBeginLoc()) && !uncover_kernel(call->getArg(0))) {
    refuse(call->getBeginLoc(), "a launch by cudaLaunchKernel of what is not known for a kernel",
           "name the kernel there, or a pointer that has its type");
  }
  return true;
}

void Translator::translate_configuration(const clang::CUDAKernelCallExpr* launch) {
  const clang::SourceLocation opening = launch->getConfig()->getBeginLoc();
  const clang::SourceLocation closing = launch->getConfig()->getRParenLoc();
  const auto open = text_.place(opening);
  const auto close = text_.place(closing);
  const auto end = text_.place(launch->getRParenLoc());
  if (!open || !close || !end || open->path != close->path) {
    refuse(launch->getBeginLoc(), "a launch whose text comes from several places");
    return;
  }
  // What stands between `<<<...>>>` and `(`; that may be all that a macro is: `scale CONFIGURATION(n) (x)`.
  clang::SourceRange range{opening, closing};
  text_.leave_macros(range);
  const bool is_macro = range.getBegin() != opening;
  const auto outer_open = text_.place(range.getBegin());
  const auto outer_close = text_.end_of_token(range.getEnd());
  const std::vector<RawToken> after = outer_open && outer_close ? text_.tokens(*outer_close, *end) : std::vector<RawToken>();
  const std::string_view file = outer_close ? text_.file_text(outer_close->path) : std::string_view();
  const std::size_t paren = !after.empty() ? after.front().offset
                            : outer_close  ? file.find('(', outer_close->offset)
                                           : file.size();
  if (paren >= file.size() || file[paren] != '(') {
    refuse(launch->getBeginLoc(), "a launch whose <<<>>> a macro holds without its arguments");
    return;
  }
  bool has_arguments = false;
  for (const clang::Expr* const argument : launch->arguments()) {
    has_arguments = has_arguments || !llvm::isa<clang::CXXDefaultArgExpr>(argument);
  }
  // In a macro, arguments may be all that the macro got: __VA_ARGS__.
  has_arguments = has_arguments || (after.size() > 1 && after[1].text != ")");
  const std::string comma = has_arguments ? ", " : "";
  if (is_macro) {
    edit(*outer_open, 0, "(");
    edit(*outer_close, paren + 1 - outer_close->offset, comma);
    edit(*open, 3, "phpc::cuda::Grid(");
    edit(*close, 3, ")");
  } else {
    edit(*open, 3, "(phpc::cuda::Grid(");
    edit(*close, paren + 1 - close->offset, ")" + comma);
  }
}

bool Translator::VisitDeclStmt(clang::DeclStmt* statement) {
  translate_shared(statement);
  return true;
}

bool Translator::VisitVarDecl(clang::VarDecl* variable) {
  if (variable->isFileVarDecl() || variable->isStaticDataMember()) {
    translate_global(variable);
  } else if (variable->hasAttr<clang::CUDADeviceAttr>() || variable->hasAttr<clang::CUDAConstantAttr>()) {
    if (!variable->isImplicit() && text_.is_users(variable->getLocation())) {
      refuse(variable->getLocation(), "a device variable inside a function", "declare it outside");
    }
  }
  return true;
}

bool Translator::reads_device_code() const {
  return function_ != nullptr && (function_->hasAttr<clang::CUDADeviceAttr>() || function_->hasAttr<clang::CUDAGlobalAttr>());
}

bool Translator::VisitGCCAsmStmt(clang::GCCAsmStmt* statement) {
  if (reads_device_code() && text_.is_users(statement->getBeginLoc())) {
    refuse(statement->getBeginLoc(), "inline PTX", "say it in C++, or with an intrinsic");
  }
  return true;
}

bool Translator::refuse_if_marked(clang::SourceLocation location, const clang::Decl* declaration) {
  for (const clang::Decl* outer = declaration; outer != nullptr;) {
    if (const auto* const mark = outer->getAttr<clang::AnnotateAttr>()) {
      if (mark->getAnnotation().starts_with("phpc refuses ")) {
        refuse(location, mark->getAnnotation().drop_front(13).str());
        return true;
      }
    }
    const clang::DeclContext* const context = outer->getDeclContext();
    outer = context == nullptr || context->isTranslationUnit() ? nullptr : llvm::cast<clang::Decl>(context);
  }
  return false;
}

bool Translator::VisitDeclRefExpr(clang::DeclRefExpr* reference) {
  if (!text_.is_users(reference->getLocation())) {
    return true;
  }
  const clang::ValueDecl* const declaration = reference->getDecl();
  refuse_if_marked(reference->getLocation(), declaration);
  translate_use_of_managed(reference);
  return true;
}

bool Translator::VisitMemberExpr(clang::MemberExpr* member) {
  if (text_.is_users(member->getMemberLoc())) {
    refuse_if_marked(member->getMemberLoc(), member->getMemberDecl());
  }
  return true;
}

bool Translator::VisitTypeLoc(clang::TypeLoc type) {
  if (!text_.is_users(type.getBeginLoc())) {
    return true;
  }
  if (const auto alias = type.getAs<clang::TypedefTypeLoc>()) {
    refuse_if_marked(type.getBeginLoc(), alias.getTypedefNameDecl());
  }
  if (const clang::NamedDecl* const declaration = type.getType()->getAsTagDecl()) {
    refuse_if_marked(type.getBeginLoc(), declaration);
  } else if (const auto* const named = type.getType()->getAs<clang::TemplateSpecializationType>()) {
    if (const clang::TemplateDecl* const made = named->getTemplateName().getAsTemplateDecl()) {
      refuse_if_marked(type.getBeginLoc(), made);
      if (made->getTemplatedDecl() != nullptr) {
        refuse_if_marked(type.getBeginLoc(), made->getTemplatedDecl());
      }
    }
  }
  return true;
}

bool Translator::VisitOMPExecutableDirective(clang::OMPExecutableDirective* directive) {
  if (reads_device_code() && !function_->hasAttr<clang::CUDAHostAttr>() && text_.is_users(directive->getBeginLoc())) {
    refuse(directive->getBeginLoc(), "an OpenMP directive in device code");
  }
  return true;
}

}  // namespace phpc::port
