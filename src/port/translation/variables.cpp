#include <clang/AST/Attr.h>

#include <algorithm>

#include "port/translation/translator.hpp"

/// Variables at namespace scope: those of the device are declared as such to OpenMP, those in shared memory move into the
/// functions that name them.
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

}  // namespace phpc::port
