#include <clang/AST/Attr.h>

#include <algorithm>
#include <utility>

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

bool declares_shared(const clang::DeclStmt* statement) {
  return std::any_of(statement->decl_begin(), statement->decl_end(), [](const clang::Decl* declaration) {
    const auto* const variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    return variable != nullptr && variable->hasAttr<clang::CUDASharedAttr>();
  });
}

/// Cuts the tokens of a declaration into specifiers and then, for one variable after another, pointers, name and extents.
class DeclarationTokens {
 public:
  /// `file` is the text that the tokens stand in, `begin` where the declaration begins there.
  DeclarationTokens(std::vector<RawToken> tokens, std::string_view file, std::size_t begin)
      : tokens_(std::move(tokens)), file_(file), begin_(begin) {}
  DeclarationTokens(const DeclarationTokens&) = delete;
  DeclarationTokens& operator=(const DeclarationTokens&) = delete;

  /// Reads up to a variable's name and over it. Returns false at a pointer to a function or an array.
  bool read_name(const WrittenName& name, const std::string& identifier) {
    pointers_.clear();
    for (; next_ < tokens_.size() && tokens_[next_].offset < name.from.offset; ++next_) {
      const RawToken& token = tokens_[next_];
      const bool is_pointer = token.text == "*" || token.text == "&";
      if (token.text == "{") {
        read_definition(identifier);
      } else if (token.text == "(" && file_.substr(token.offset, 2) == "(*") {
        return false;
      } else if (is_first_ && !is_pointer && pointers_.empty()) {
        specifiers_.push_back(token);
      } else if (token.text != ",") {
        pointers_.push_back(token);
      }
    }
    while (next_ < tokens_.size() && tokens_[next_].offset < name.to.offset) {
      ++next_;
    }
    is_first_ = false;
    return true;
  }

  /// Reads the variable's extents, up to the comma or semicolon after them. Returns false where an initial value follows.
  bool read_extents() {
    extents_.clear();
    int depth = 0;
    for (; next_ < tokens_.size(); ++next_) {
      const std::string_view token = tokens_[next_].text;
      if (depth == 0 && (token == "," || token == ";" || token == "=")) {
        break;
      }
      depth += token == "[" || token == "(" || token == "{" ? 1 : token == "]" || token == ")" || token == "}" ? -1 : 0;
      extents_.push_back(tokens_[next_]);
    }
    return next_ >= tokens_.size() || tokens_[next_].text != "=";
  }

  /// The definition of a type that the declaration began with, once; empty where there is none.
  [[nodiscard]] std::string take_definition() { return std::exchange(definition_, {}); }
  [[nodiscard]] const std::vector<RawToken>& specifiers() const { return specifiers_; }
  [[nodiscard]] const std::vector<RawToken>& pointers() const { return pointers_; }
  [[nodiscard]] const std::vector<RawToken>& extents() const { return extents_; }

 private:
  /// Reads the body of a type's definition up to its last brace. The definition is kept as it stands, with a name if it has none
  /// of its own, and the name takes its place among the specifiers.
  void read_definition(const std::string& variable) {
    int depth = 0;
    do {
      depth += tokens_[next_].text == "{" ? 1 : tokens_[next_].text == "}" ? -1 : 0;
      ++next_;
    } while (next_ < tokens_.size() && depth > 0);
    --next_;
    const std::vector<RawToken> head = type_tokens(specifiers_);
    const bool has_name = head.size() > 1;
    defined_type_ = has_name ? std::string(head.back().text) : "phpc_type_of_" + variable;
    const std::size_t open = specifiers_.empty() ? begin_ : specifiers_.back().offset + specifiers_.back().text.size();
    definition_ = joined(head) + (has_name ? "" : " " + defined_type_) +
                  std::string(file_.substr(open, tokens_[next_].offset + 1 - open)) + ";";
    specifiers_ = {{defined_type_, 0, true, false}};
  }

  std::vector<RawToken> tokens_;
  std::string_view file_;
  std::size_t begin_;
  std::size_t next_ = 0;
  bool is_first_ = true;  ///< before the first variable's name
  std::vector<RawToken> specifiers_;
  std::vector<RawToken> pointers_;
  std::vector<RawToken> extents_;
  std::string defined_type_;  ///< a specifier may be its text
  std::string definition_;
};

}  // namespace

std::string Translator::shared_declaration(const clang::VarDecl* variable, const std::string& name,
                                           const std::vector<RawToken>& specifiers, const std::vector<RawToken>& pointers,
                                           const std::vector<RawToken>& extents) {
  std::string type = joined(type_tokens(specifiers));
  if (!pointers.empty()) {
    type += " " + joined(pointers);
  }
  std::string rest = joined(extents);
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
  if (!declares_shared(statement)) {
    return;
  }
  // Beside its semicolon, or in a macro that holds all but that.
  std::string why;
  if (translate_shared_beside(statement, statement->getSourceRange(), statement->getEndLoc(), why)) {
    return;
  }
  const auto* const last = llvm::dyn_cast<clang::VarDecl>(*(statement->decl_end() - 1));
  const auto* const attribute = last == nullptr ? nullptr : last->getAttr<clang::CUDASharedAttr>();
  if (!why.empty() || attribute == nullptr ||
      !translate_shared_beside(statement, {statement->getBeginLoc(), last->getEndLoc()}, text_.word(attribute->getLocation()),
                               why)) {
    refuse(statement->getBeginLoc(), why.empty() ? "shared memory declared by a macro" : why);
  }
}

bool Translator::translate_shared_beside(const clang::DeclStmt* statement, clang::SourceRange range,
                                         clang::SourceLocation reference, std::string& why) {
  const auto extent = extent_beside(text_, context_, range, reference);
  if (!extent) {
    return false;
  }
  const auto& [from, to] = *extent;
  std::vector<RawToken> written = text_.tokens(from, to);
  for (const clang::Decl* const declaration : statement->decls()) {
    if (const auto* const attribute = declaration->getAttr<clang::CUDASharedAttr>()) {
      // `__shared__`, or a macro that means it, is no part of the type.
      const auto word = extent_beside(text_, context_, text_.word(attribute->getLocation()), reference);
      if (!word) {
        return false;
      }
      std::erase_if(written,
                    [&](const RawToken& token) { return token.offset >= word->from.offset && token.offset < word->to.offset; });
    }
  }
  DeclarationTokens tokens(std::move(written), text_.file_text(from.path), from.offset);
  std::string text;
  for (const clang::Decl* const declaration : statement->decls()) {
    if (llvm::isa<clang::TagDecl>(declaration)) {
      continue;  // a type that is defined with the variable
    }
    const auto* const variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    const auto name = variable == nullptr
                          ? std::nullopt
                          : find_name(text_, context_, variable->getLocation(), reference, variable->getNameAsString());
    if (!name || !name->is_beside) {
      return false;
    }
    if (!tokens.read_name(*name, variable->getNameAsString())) {
      why = "a pointer to a function or an array in shared memory";
      return false;
    }
    if (!tokens.read_extents()) {
      why = "shared memory with an initial value";
      return false;
    }
    text += tokens.take_definition();
    text += (text.empty() ? "" : " ") +
            shared_declaration(variable, name->text, tokens.specifiers(), tokens.pointers(), tokens.extents());
  }
  if (range.getEnd() != statement->getEndLoc()) {
    text.pop_back();  // the semicolon stands elsewhere
  }
  replace(from, to, text);
  return true;
}

}  // namespace phpc::port
