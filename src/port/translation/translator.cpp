#include "port/translation/translator.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/StmtOpenMP.h>

#include <algorithm>

namespace phpc::port {

namespace {

/// Which argument of a function of CUDA's is a kernel.
struct KernelArgument {
  std::string_view function;
  unsigned index;
  enum { launches, asks_about } use;
};
constexpr KernelArgument kernel_arguments[] = {
    {"cudaLaunchKernel", 0, KernelArgument::launches},
    {"cudaLaunchKernelEx", 1, KernelArgument::launches},
    {"cudaLaunchKernelExC", 1, KernelArgument::launches},
    {"cudaFuncGetAttributes", 1, KernelArgument::asks_about},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", 1, KernelArgument::asks_about},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 1, KernelArgument::asks_about},
    {"cudaOccupancyMaxPotentialBlockSize", 2, KernelArgument::asks_about},
    {"cudaOccupancyMaxPotentialBlockSizeVariableSMem", 2, KernelArgument::asks_about},
};

}  // namespace

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
  if (function->hasAttr<clang::CUDADeviceAttr>() && !function->isDefined() && !function->isPureVirtual() &&
      !function->isDeleted()) {
    note_linked_code(function);
    if (const clang::FunctionTemplateDecl* const made_of = function->getDescribedFunctionTemplate(); made_of != nullptr) {
      for (const clang::FunctionDecl* const instance : made_of->specializations()) {
        note_linked_code(instance);
      }
    }
  }
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
  if (!name.isIdentifier() || !text_.is_users(call->getBeginLoc())) {
    return true;
  }
  for (const KernelArgument& one : kernel_arguments) {
    if (one.function != name.getAsString() || call->getNumArgs() <= one.index) {
      continue;
    }
    const clang::Expr* const argument = call->getArg(one.index);
    if (one.use == KernelArgument::asks_about) {
      add_attributes(call, argument);
    } else if (!uncover_kernel(argument)) {
      refuse(call->getBeginLoc(), "a launch by " + std::string(one.function) + " of what is not known for a kernel",
             "name the kernel there, or a pointer that has its type");
    }
  }
  return true;
}

namespace {

/// Whether a token of a macro's text is the name in `name...` of its definition.
bool is_named_variadic(const SourceText& text, const std::string& path, const RawToken& token) {
  const std::size_t define = text.file_text(path).rfind("define", token.offset);
  const std::vector<RawToken> before =
      define == std::string_view::npos ? std::vector<RawToken>() : text.tokens({path, define}, {path, token.offset});
  return std::ranges::adjacent_find(before, [&](const RawToken& name, const RawToken& dots) {
           return name.text == token.text && dots.text == "...";
         }) != before.end();
}

}  // namespace

void Translator::translate_configuration(const clang::CUDAKernelCallExpr* launch) {
  const clang::SourceLocation opening = launch->getConfig()->getBeginLoc();
  const clang::SourceLocation closing = launch->getConfig()->getRParenLoc();
  const auto open = text_.place(opening);
  const auto close = text_.place(closing);
  // `<<<...>>>`; that may be all that a macro is: `scale CONFIGURATION(n) (x)`.
  clang::SourceRange range{opening, closing};
  text_.leave_macros(range);
  const bool is_macro = range.getBegin() != opening;
  const auto outer_open = text_.place(range.getBegin());
  const auto outer_close = text_.end_of_token(range.getEnd());
  if (!open || !close || open->path != close->path || !outer_open || !outer_close) {
    refuse(launch->getBeginLoc(), "a launch whose text comes from several places");
    return;
  }
  const bool is_in_macro = range.getEnd().isMacroID() && !text_.sources().isMacroArgExpansion(range.getEnd());
  const auto next_token = [&](const Place& place) {
    const std::optional<RawToken> token = text_.token_at(place);
    return token && is_in_macro && token->begins_line ? std::nullopt : token;  // the macro ends before
  };
  const std::optional<RawToken> paren = next_token(*outer_close);
  if (!paren || paren->text != "(") {
    translate_launch_without_arguments(launch, range);
    return;
  }
  const std::size_t first_argument = paren->offset + 1;
  const auto argument = next_token({outer_close->path, first_argument});
  std::string comma;
  if (argument && argument->text == "__VA_ARGS__") {
    comma = " __VA_OPT__(,) ";
  } else if (is_in_macro && argument && is_named_variadic(text_, outer_close->path, *argument)) {
    comma = ", ##";
  } else if (std::ranges::any_of(launch->arguments(),
                                 [](const clang::Expr* passed) { return !llvm::isa<clang::CXXDefaultArgExpr>(passed); }) ||
             (argument && argument->text == "##")) {
    comma = ", ";
  }
  if (is_macro) {
    edit(*outer_open, 0, "(");
    edit(*outer_close, first_argument - outer_close->offset, comma);
    edit(*open, 3, "phpc::cuda::Grid(");
    edit(*close, 3, ")");
  } else {
    edit(*open, 3, "(phpc::cuda::Grid(");
    edit(*close, first_argument - close->offset, ")" + comma);
  }
}

void Translator::translate_launch_without_arguments(const clang::CUDAKernelCallExpr* launch, clang::SourceRange configuration) {
  const auto callee = extent_beside(text_, context_, launch->getCallee()->getSourceRange(), configuration.getBegin());
  const auto open = text_.place(launch->getConfig()->getBeginLoc());
  const auto close = text_.place(launch->getConfig()->getRParenLoc());
  const auto outer_open = text_.place(configuration.getBegin());
  const auto outer_close = text_.end_of_token(configuration.getEnd());
  if (!callee || callee->from.path != outer_open->path || callee->to.offset > outer_open->offset) {
    refuse(launch->getBeginLoc(), "a launch whose <<<>>> a macro holds without its kernel and its arguments");
    return;
  }
  for (const clang::Expr* const argument : launch->arguments()) {
    if (llvm::isa<clang::CXXDefaultArgExpr>(argument)) {
      continue;
    }
    if (llvm::isa<clang::InitListExpr>(argument->IgnoreImplicit())) {
      refuse(argument->getBeginLoc(),
             "a list in braces as the argument of a launch whose <<<>>> a macro holds without its arguments",
             "write its type before it");
      return;
    }
    // A 0 that is passed on is a null pointer no more.
    const clang::Expr* const written = argument->IgnoreParenImpCasts();
    if ((argument->getType()->isPointerType() && written->getType()->isIntegerType()) || llvm::isa<clang::GNUNullExpr>(written)) {
      const auto from = text_.place(argument->getBeginLoc());
      const auto to = text_.end_of_token(argument->getEndLoc());
      if (!from || !to) {
        refuse(argument->getBeginLoc(), "a launch whose text comes from several places");
        return;
      }
      replace(*from, *to, "nullptr");
    }
  }
  edit(callee->from, 0, "[&](auto... phpc_arguments) { return ");
  const bool is_macro = open->path != outer_open->path || open->offset != outer_open->offset;
  if (is_macro) {
    edit(*outer_open, 0, "(");
    edit(*open, 3, "phpc::cuda::Grid(");
    edit(*close, 3, ")");
    edit(*outer_close, 0, ", phpc_arguments...); }");
  } else {
    edit(*open, 3, "(phpc::cuda::Grid(");
    edit(*close, 3, "), phpc_arguments...); }");
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
    if (variable->isImplicit() || !text_.is_users(variable->getLocation())) {
      return true;
    }
    // A static variable of a function that devices alone run is theirs without the word.
    if (variable->isStaticLocal() && reads_device_code() && !function_->hasAttr<clang::CUDAHostAttr>()) {
      remove_words(variable);
    } else {
      refuse(variable->getLocation(), "a device variable inside a function", "declare it outside");
    }
  }
  return true;
}

void Translator::note_linked_code(const clang::DeclaratorDecl* declaration) {
  if (declaration->isReferenced() && !translation_.links_device_code) {
    translation_.links_device_code = true;
    warn(declaration->getLocation(), "device code of another source",
         "its target needs CMake's property CUDA_SEPARABLE_COMPILATION, which --cmake sets");
  }
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
