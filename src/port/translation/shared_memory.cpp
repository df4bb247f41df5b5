#include <clang/AST/Attr.h>

#include "port/translation/translator.hpp"

/// `__shared__ float tile[16][16];` becomes `auto &tile = PHPC_SHARED(float[16][16]);`, `extern __shared__ float all[];` becomes
/// `auto *all = phpc::cuda::dynamic_shared<float>();`. The type stays where members of a template may be asked for by it:
/// `__shared__ Tile<N> tile;` becomes `Tile<N> &tile = PHPC_SHARED(Tile<N>);`.
namespace phpc::port {

namespace {

/// Whether a token says how a variable is stored and not what it is.
bool is_storage_word(std::string_view token) {
  return token == "__shared__" || token == "static" || token == "extern" || token == "register";
}

/// Leaves out storage words and alignments with their arguments: all of shared memory is aligned to 16 bytes.
std::vector<RawToken> type_tokens(const std::vector<RawToken>& tokens) {
  std::vector<RawToken> kept;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "__align__" || text == "alignas" || text == "__attribute__") {
      int depth = 0;
      while (i + 1 < tokens.size() && (depth > 0 || tokens[i + 1].text == "(")) {
        ++i;
        depth += tokens[i].text == "(" ? 1 : tokens[i].text == ")" ? -1 : 0;
        if (depth == 0) {
          break;
        }
      }
    } else if (!is_storage_word(text)) {
      kept.push_back(tokens[i]);
    }
  }
  return kept;
}

}  // namespace

std::string Translator::shared_declaration(const clang::VarDecl* variable, const std::vector<RawToken>& specifiers,
                                           const std::vector<RawToken>& pointers, const std::vector<RawToken>& extents) {
  std::string type = joined(type_tokens(specifiers));
  if (!pointers.empty()) {
    type += " " + joined(pointers);
  }
  std::string rest = joined(extents);
  const std::string name = variable->getNameAsString();
  if (variable->getType()->isIncompleteArrayType()) {
    const std::size_t bracket = rest.find(']');
    rest = bracket == std::string::npos ? "" : rest.substr(bracket + 1);
    return "auto *" + name + " = phpc::cuda::dynamic_shared<" + type + rest + ">();";
  }
  const std::string of_type = variable->getType()->isDependentType() && rest.empty() ? type : "auto";
  if (variable->hasExternalStorage()) {
    return of_type + " &" + name + " = *phpc::cuda::dynamic_shared<" + type + rest + ">();";
  }
  if (variable->isFileVarDecl()) {
    return of_type + " &" + name + " = PHPC_SHARED_AS(phpc_shared_" + name + ", " + type + rest + ");";
  }
  return of_type + " &" + name + " = PHPC_SHARED(" + type + rest + ");";
}

void Translator::translate_shared(const clang::DeclStmt* statement) {
  bool any = false;
  for (const clang::Decl* const declaration : statement->decls()) {
    const auto* const variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    any = any || (variable != nullptr && variable->hasAttr<clang::CUDASharedAttr>());
  }
  if (!any) {
    return;
  }
  const clang::SourceLocation reference = (*(statement->decl_end() - 1))->getLocation();
  const auto from = text_.place(text_.beside(statement->getBeginLoc(), reference, false));
  const auto to = text_.end_of_token(text_.beside(statement->getEndLoc(), reference, true));
  if (!from || !to || from->path != to->path) {
    refuse(statement->getBeginLoc(), "shared memory declared by a macro");
    return;
  }
  // Cut into specifiers, then for each variable pointers, name and extents.
  const std::vector<RawToken> tokens = text_.tokens(*from, *to);
  std::string text;
  std::vector<RawToken> specifiers;
  std::size_t next = 0;
  const clang::Decl* first = nullptr;
  std::string defined_type;
  for (const clang::Decl* const declaration : statement->decls()) {
    if (llvm::isa<clang::TagDecl>(declaration)) {
      continue;  // a type that is defined with the variable
    }
    first = first == nullptr ? declaration : first;
    const auto* const variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    const auto name = variable == nullptr ? std::nullopt : text_.place(variable->getLocation());
    if (!name || name->path != from->path) {
      refuse(declaration->getLocation(), "shared memory declared by a macro");
      return;
    }
    std::vector<RawToken> pointers;
    for (; next < tokens.size() && tokens[next].offset < name->offset; ++next) {
      const bool pointer = tokens[next].text == "*" || tokens[next].text == "&";
      if (tokens[next].text == "{") {
        // The type's definition, as it stands, comes first.
        int depth = 0;
        do {
          depth += tokens[next].text == "{" ? 1 : tokens[next].text == "}" ? -1 : 0;
          ++next;
        } while (next < tokens.size() && depth > 0);
        const std::vector<RawToken> head = type_tokens(specifiers);
        const bool has_name = head.size() > 1;
        const std::string type_name = has_name ? std::string(head.back().text) : "phpc_type_of_" + variable->getNameAsString();
        const std::size_t open = specifiers.empty() ? from->offset : specifiers.back().offset + specifiers.back().text.size();
        text += joined(head) + (has_name ? "" : " " + type_name) +
                std::string(text_.file_text(from->path).substr(open, tokens[next - 1].offset + 1 - open)) + ";";
        defined_type = type_name;
        specifiers = {{defined_type, 0, true, false}};
        --next;
        continue;
      }
      if (tokens[next].text == "(" && text_.file_text(from->path).substr(tokens[next].offset, 2) == "(*") {
        refuse(variable->getLocation(), "a pointer to a function or an array in shared memory");
        return;
      }
      if (declaration == first && !pointer && pointers.empty()) {
        specifiers.push_back(tokens[next]);
      } else if (tokens[next].text != ",") {
        pointers.push_back(tokens[next]);
      }
    }
    ++next;  // the name
    std::vector<RawToken> extents;
    int depth = 0;
    for (; next < tokens.size(); ++next) {
      const std::string_view token = tokens[next].text;
      if (depth == 0 && (token == "," || token == ";" || token == "=")) {
        break;
      }
      depth += token == "[" || token == "(" || token == "{" ? 1 : token == "]" || token == ")" || token == "}" ? -1 : 0;
      extents.push_back(tokens[next]);
    }
    if (next < tokens.size() && tokens[next].text == "=") {
      refuse(variable->getLocation(), "shared memory with an initial value");
      return;
    }
    text += (text.empty() ? "" : " ") + shared_declaration(variable, specifiers, pointers, extents);
  }
  replace(*from, *to, text);
}

}  // namespace phpc::port
