#include <clang/AST/Attr.h>

#include <algorithm>

#include "port/translation/translator.hpp"

/// What is named at namespace scope: variables and functions of the device are declared as such to OpenMP, variables in shared
/// memory move into the functions that name them.
namespace phpc::port {

void Translator::translate_global(const clang::VarDecl* variable) {
  if (variable->isImplicit() || !text_.is_users(variable->getLocation())) {
    return;
  }
  if (const auto* const mark = variable->getAttr<clang::AnnotateAttr>();
      mark != nullptr && mark->getAnnotation() == "phpc_managed") {
    refuse(variable->getLocation(), "a __managed__ variable", "allocate it with cudaMallocManaged");
    return;
  }
  const bool is_shared = variable->hasAttr<clang::CUDASharedAttr>();
  if (!is_shared && !variable->hasAttr<clang::CUDADeviceAttr>() && !variable->hasAttr<clang::CUDAConstantAttr>()) {
    return;
  }
  auto end = text_.end_of_token(variable->getEndLoc());
  const std::string_view file = end ? text_.file_text(end->path) : std::string_view();
  const std::size_t semicolon = end ? file.find(';', end->offset) : std::string_view::npos;
  if (semicolon == std::string_view::npos) {
    refuse(variable->getLocation(), "a device variable declared by a macro");
    return;
  }
  if (is_shared) {
    const auto from = text_.place(variable->getBeginLoc());
    if (!from || from->path != end->path) {
      refuse(variable->getLocation(), "shared memory declared by a macro");
      return;
    }
    edit(*from, semicolon + 1 - from->offset,
         variable->hasExternalStorage() ? "" : "struct phpc_shared_" + variable->getNameAsString() + ";");
    return;
  }
  if (variable->isStaticDataMember() || variable->getDescribedVarTemplate() != nullptr) {
    if (!variable->isConstexpr()) {
      refuse(variable->getLocation(), "a device variable that is a member or a template", "declare it outside of the class");
      return;
    }
  }
  remove_words(variable);
  if (!variable->isConstexpr()) {
    // After a comment that ends the line.
    std::size_t after = semicolon + 1;
    const std::size_t line_end = std::min(file.find('\n', after), file.size());
    const std::string_view rest = file.substr(after, line_end - after);
    if (const std::size_t word = rest.find_first_not_of(" \t");
        word != std::string_view::npos && rest.substr(word).starts_with("//")) {
      after = line_end;
    }
    const std::string name = variable->getNameAsString();
    const bool is_internal = !variable->isExternallyVisible() && facts_.is_named_by_host(variable);
    edit({end->path, after}, 0,
         "\n#pragma omp declare target(" + name + ")" + (is_internal ? "\nPHPC_INTERNAL_VARIABLE(" + name + ")" : ""));
  }
}

void Translator::offer_to_other_sources(const clang::FunctionDecl* function) {
  const clang::DeclContext* const scope = function->getDeclContext();
  if (!function->hasAttr<clang::CUDADeviceAttr>() || function->hasAttr<clang::CUDAHostAttr>() ||
      function->getPreviousDecl() == nullptr || !function->isExternallyVisible() || function->isInlined() ||
      function->getTemplatedKind() != clang::FunctionDecl::TK_NonTemplate || llvm::isa<clang::CXXMethodDecl>(function) ||
      function->getBody()->getEndLoc().isMacroID() ||
      function->getLexicalDeclContext()->getRedeclContext() != scope->getRedeclContext() ||
      !scope->lookup(function->getDeclName()).isSingleResult()) {
    return;  // made where it is used, or not to be named by the pragma
  }
  const auto end = text_.end_of_token(function->getBody()->getEndLoc());
  const auto declared = text_.place(function->getFirstDecl()->getLocation());
  if (!end || !declared || declared->path == end->path) {
    return;
  }
  const std::string_view rest = text_.file_text(end->path).substr(end->offset);
  const std::size_t word = rest.find_first_not_of(" \t\r");
  const bool ends_line = word == std::string_view::npos || rest[word] == '\n';
  edit(*end, 0, "\n#pragma omp declare target(" + function->getNameAsString() + ")" + (ends_line ? "" : "\n"));
}

}  // namespace phpc::port
