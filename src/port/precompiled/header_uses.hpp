#pragma once
#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSet.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace phpc::port {

/// Which of the precompiled headers a source includes, directly or by others. A source that parses with all of them must not use
/// those that it leaves out.
class IncludedHeaders {
 public:
  /// Begins with the headers that are parsed ahead of each source; nothing where there are no precompiled headers at `path`.
  static std::optional<IncludedHeaders> find(const std::string& path);

  /// Takes a header, by the name that the compiler has for it, with all that it includes.
  void include(llvm::StringRef header);
  /// Whether a header is one of the precompiled, and not included so far.
  [[nodiscard]] bool lack(llvm::StringRef header) const;
  /// Whether <written> is one of the precompiled headers, and another file than `header`.
  [[nodiscard]] bool have_another(llvm::StringRef header, llvm::StringRef written) const;
  /// Whether the precompiled headers have an identifier.
  [[nodiscard]] bool know(llvm::StringRef word) const { return known_.contains(word); }
  /// Whether a place is in a header that is included, or in no precompiled one.
  [[nodiscard]] bool hold(const clang::SourceManager& sources, clang::SourceLocation location) const;

 private:
  llvm::StringMap<unsigned> indices_;                 ///< of the headers, by their names
  std::vector<std::vector<std::uint64_t>> includes_;  ///< by the includer's index, which is 0 for what is parsed ahead
  std::vector<bool> is_included_;
  llvm::StringSet<> known_;
};

/// Finds out whether a source, parsed with precompiled headers, uses any that it does not include. Its translation may not be
/// that of the source then.
class HeaderUses {
 public:
  explicit HeaderUses(IncludedHeaders included) : included_(std::move(included)) {}

  /// Notes what is included, macros that are asked for before that, and those of the source's own that would change headers that
  /// it includes afterwards.
  std::unique_ptr<clang::PPCallbacks> watch_preprocessor(const clang::Preprocessor& preprocessor);
  /// Looks through the source's own declarations, those that are to be traversed.
  void look_through(clang::ASTContext& context);
  /// Notes that the source depends on a header that it does not include.
  void note_other() { are_included_ = false; }
  [[nodiscard]] bool are_included() const { return are_included_; }
  [[nodiscard]] const IncludedHeaders& included() const { return included_; }

 private:
  class Watcher;
  class Visitor;
  IncludedHeaders included_;
  bool are_included_ = true;
};

}  // namespace phpc::port
