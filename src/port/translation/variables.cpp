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
  const clang::SourceLocation last = text_.end_of_macros(variable->getEndLoc());
  const auto end = text_.end_of_token(last);
  const std::string_view file = end ? text_.file_text(end->path) : std::string_view();
  const std::size_t semicolon = end ? file.find(';', end->offset) : std::string_view::npos;
  const auto name = find_name(text_, context_, variable->getLocation(), last, variable->getNameAsString());
  if (semicolon == std::string_view::npos || !name) {
    refuse(variable->getLocation(), "a device variable declared by a macro");
    return;
  }
  if (is_shared) {
    const auto from = text_.place(variable->getBeginLoc());
    if (!from || from->path != end->path || from->offset > semicolon || variable->getLocation().isMacroID()) {
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
    declare_variable(variable, *name, {end->path, semicolon + 1}, last.isMacroID() && !text_.sources().isMacroArgExpansion(last));
  }
}

void Translator::declare_variable(const clang::VarDecl* variable, const WrittenName& name, Place after, bool in_macro) {
  const std::string_view file = text_.file_text(after.path);
  // After a comment that ends the line.
  const std::size_t line_end = std::min(file.find('\n', after.offset), file.size());
  const std::string_view rest = file.substr(after.offset, line_end - after.offset);
  if (const std::size_t word = rest.find_first_not_of(" \t");
      !in_macro && word != std::string_view::npos && rest.substr(word).starts_with("//")) {
    after.offset = line_end;
  }
  const bool is_internal = !variable->isExternallyVisible() && facts_.is_named_by_host(variable);
  const bool is_plain = !in_macro && (name.form == WrittenName::Form::plain || !name.is_beside);
  std::string text = is_plain ? "#pragma omp declare target(" + name.text + ")" : "PHPC_DEVICE_VARIABLE(" + name.text + ")";
  const std::string between = in_macro ? " " : "\n";
  if (is_internal) {
    text += between + "PHPC_INTERNAL_VARIABLE(" + name.text + ")";
  }
  // A directive ends with its line.
  const std::string_view left = file.substr(after.offset, line_end - after.offset);
  const bool ends_line = in_macro || left.find_first_not_of(" \t\r") == std::string_view::npos;
  edit(after, 0, between + text + (ends_line ? "" : "\n"));
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
