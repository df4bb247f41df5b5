#pragma once
#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phpc::port {

/// A place in a file of the user's.
struct Place {
  std::string path;  ///< absolute
  std::size_t offset;
};

/// A token as it stands in a file.
struct RawToken {
  std::string_view text;
  std::size_t offset;
  bool space_before;
  bool begins_line;
};

/// Turns clang's locations into places in the user's files, and reads the text there.
class SourceText {
 public:
  explicit SourceText(const clang::ASTContext& context)
      : sources_(context.getSourceManager()), language_(context.getLangOpts()) {}

  [[nodiscard]] const clang::SourceManager& sources() const { return sources_; }

  /// Whether a declaration or statement stands in a file of the user's, not in a system header or one of ours.
  [[nodiscard]] bool is_users(clang::SourceLocation location) const;
  /// The place where the text of a location stands: in a macro's definition where it comes from one. None for text that no file
  /// holds, or that is not the user's.
  [[nodiscard]] std::optional<Place> place(clang::SourceLocation location) const;
  /// The place just after the token at a location.
  [[nodiscard]] std::optional<Place> end_of_token(clang::SourceLocation location) const;
  /// The location of the word of CUDA's, a macro of ours, that a location within what it becomes belongs to.
  [[nodiscard]] clang::SourceLocation word(clang::SourceLocation location) const;
  /// Widens a range that is the whole text of a macro to the use of that macro, as far out as there are such.
  void leave_macros(clang::SourceRange& range) const;
  /// The location of the macro that ends with the token at a location, as far out as there are such.
  [[nodiscard]] clang::SourceLocation end_of_macros(clang::SourceLocation location) const;
  /// A location climbed out of macros to where `reference` stands: for text that is to be repeated as it was written there.
  [[nodiscard]] clang::SourceLocation beside(clang::SourceLocation location, clang::SourceLocation reference, bool end) const;
  /// "file:line" as in the messages of a compiler.
  [[nodiscard]] std::string line_name(clang::SourceLocation location) const;
  [[nodiscard]] unsigned line(clang::SourceLocation location) const;

  /// The text of a file.
  [[nodiscard]] std::string_view file_text(const std::string& path) const;
  /// The tokens between two places of one file, comments left out.
  [[nodiscard]] std::vector<RawToken> tokens(const Place& from, const Place& to) const;
  /// The first token at or behind a place, comments left out. None at the end of the file.
  [[nodiscard]] std::optional<RawToken> token_at(const Place& place) const;
  /// The tokens between two places on one line, as an edit may repeat them. None where a preprocessor directive stands among
  /// them.
  [[nodiscard]] std::optional<std::string> one_line(const Place& from, const Place& to) const;

 private:
  /// Whether a macro's text, not that of an argument, ends with the token at a location.
  [[nodiscard]] bool ends_macro(clang::SourceLocation location) const;
  /// The location of a text as the user wrote it: macros of ours are taken for the word that stands there.
  [[nodiscard]] clang::SourceLocation written(clang::SourceLocation location, bool end) const;

  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
};

/// Tokens as text on one line.
std::string joined(const std::vector<RawToken>& tokens);

}  // namespace phpc::port
