#include <clang/AST/Attr.h>
#include <clang/Lex/Lexer.h>

#include "port/translation/translator.hpp"

/// Removes CUDA's words for where a function or variable lives, where the user's text has them outside of macros. (Macros may
/// keep them: phpc/cuda/words.hpp defines them as nothing.)
namespace phpc::port {

namespace {

/// The place after a word: with its arguments, if it has some, and with the space that follows.
std::size_t end_of_word(std::string_view file, std::size_t begin, std::size_t length, bool takes_arguments) {
  std::size_t end = begin + length;
  if (takes_arguments) {
    std::size_t open = end;
    while (open < file.size() && std::isspace(static_cast<unsigned char>(file[open])) != 0) {
      ++open;
    }
    if (open < file.size() && file[open] == '(') {
      int depth = 0;
      do {
        depth += file[open] == '(' ? 1 : file[open] == ')' ? -1 : 0;
        ++open;
      } while (open < file.size() && depth > 0);
      end = open;
    }
  }
  return end;
}

}  // namespace

void Translator::remove_word(const clang::Decl* declaration, const clang::Attr* attribute, const std::string& replacement) {
  if (attribute == nullptr || attribute->isInherited() || attribute->isImplicit()) {
    return;
  }
  const clang::SourceManager& sources = text_.sources();
  if (!attribute->getLocation().isMacroID()) {
    return;
  }
  // The word is a macro of ours. In a macro of the user's it stays, unless that holds the whole of a kernel.
  const clang::SourceLocation use = text_.word(attribute->getLocation());
  if (use.isMacroID() && !sources.isMacroArgExpansion(use)) {
    const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    const bool is_whole_kernel = !replacement.empty() && function != nullptr && function->doesThisDeclarationHaveABody() &&
                                 sources.getFileID(use) == sources.getFileID(function->getBody()->getEndLoc());
    if (!is_whole_kernel) {
      return;
    }
  }
  const auto at = text_.place(use);
  if (!at) {
    return;
  }
  const std::string_view file = text_.file_text(at->path);
  const std::size_t length = clang::Lexer::MeasureTokenLength(sources.getSpellingLoc(use), sources, context_.getLangOpts());
  const std::string_view word = file.substr(at->offset, length);
  if (!word.starts_with("__")) {
    return;
  }
  std::size_t end = end_of_word(file, at->offset, length, word == "__launch_bounds__");
  if (replacement.empty()) {
    if (end < file.size() && file[end] == ' ') {
      ++end;
    } else if (end < file.size() && file[end] == '\n') {
      // The word is alone on its line: the line goes.
      const std::size_t begin = at->offset == 0 ? 0 : file.rfind('\n', at->offset - 1) + 1;
      if (file.substr(begin, at->offset - begin).find_first_not_of(" \t") == std::string_view::npos) {
        edit({at->path, begin}, end + 1 - begin, "");
        return;
      }
    }
  }
  edit(*at, end - at->offset, replacement);
}

void Translator::remove_words(const clang::Decl* declaration) {
  for (const clang::Attr* const attribute : declaration->attrs()) {
    if (llvm::isa<clang::CUDADeviceAttr>(attribute) || llvm::isa<clang::CUDAHostAttr>(attribute) ||
        llvm::isa<clang::CUDAConstantAttr>(attribute) || llvm::isa<clang::CUDALaunchBoundsAttr>(attribute) ||
        llvm::isa<clang::CUDAGlobalAttr>(attribute)) {
      remove_word(declaration, attribute, "");
    }
  }
}

}  // namespace phpc::port
