#include "port/edits/source_text.hpp"

#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace phpc::port {

bool SourceText::is_users(clang::SourceLocation location) const {
  return location.isValid() && place(location).has_value();
}

clang::SourceLocation SourceText::written(clang::SourceLocation location, bool end) const {
  while (location.isMacroID()) {
    const clang::SourceLocation spelling = sources_.getImmediateSpellingLoc(location);
    // What `##` makes, and macros of the command line, stand in no file.
    const bool is_in_no_file = spelling.isFileID() && !sources_.getFileEntryRefForID(sources_.getFileID(spelling));
    if (!is_in_no_file &&
        (sources_.isMacroArgExpansion(location) || !sources_.isInSystemHeader(sources_.getSpellingLoc(location)))) {
      location = spelling;
    } else {
      const clang::CharSourceRange use = sources_.getImmediateExpansionRange(location);
      location = end ? use.getEnd() : use.getBegin();
    }
  }
  return location;
}

std::optional<Place> SourceText::place(clang::SourceLocation location) const {
  if (location.isInvalid()) {
    return std::nullopt;
  }
  const clang::SourceLocation spelled = written(location, false);
  const auto [file, offset] = sources_.getDecomposedLoc(spelled);
  const clang::OptionalFileEntryRef entry = sources_.getFileEntryRefForID(file);
  if (!entry || sources_.isInSystemHeader(spelled)) {
    return std::nullopt;
  }
  llvm::SmallString<256> path(entry->getName());
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, true);
  return Place{std::string(path), offset};
}

std::optional<Place> SourceText::end_of_token(clang::SourceLocation location) const {
  if (location.isInvalid()) {
    return std::nullopt;
  }
  const clang::SourceLocation last = written(location, true);
  std::optional<Place> at = place(last);
  if (at) {
    at->offset += clang::Lexer::MeasureTokenLength(last, sources_, language_);
  }
  return at;
}

clang::SourceLocation SourceText::word(clang::SourceLocation location) const {
  while (location.isMacroID() && sources_.isInSystemHeader(sources_.getSpellingLoc(location))) {
    location = sources_.isMacroArgExpansion(location) ? sources_.getImmediateSpellingLoc(location)
                                                      : sources_.getImmediateExpansionRange(location).getBegin();
  }
  return location;
}

bool SourceText::ends_macro(clang::SourceLocation location) const {
  const unsigned length = clang::Lexer::MeasureTokenLength(sources_.getSpellingLoc(location), sources_, language_);
  return location.isMacroID() && !sources_.isMacroArgExpansion(location) &&
         sources_.isAtEndOfImmediateMacroExpansion(location.getLocWithOffset(static_cast<int>(length)));
}

clang::SourceLocation SourceText::end_of_macros(clang::SourceLocation location) const {
  while (ends_macro(location)) {
    location = sources_.getImmediateExpansionRange(location).getEnd();
  }
  return location;
}

void SourceText::leave_macros(clang::SourceRange& range) const {
  while (range.getBegin().isMacroID() && sources_.getFileID(range.getBegin()) == sources_.getFileID(range.getEnd()) &&
         sources_.isAtStartOfImmediateMacroExpansion(range.getBegin()) && ends_macro(range.getEnd())) {
    range = sources_.getImmediateExpansionRange(range.getBegin()).getAsRange();
  }
}

clang::SourceLocation SourceText::beside(clang::SourceLocation location, clang::SourceLocation reference, bool end) const {
  while (location.isMacroID() && sources_.getFileID(location) != sources_.getFileID(reference)) {
    if (sources_.isMacroArgExpansion(location)) {
      const clang::SourceLocation argument = beside(sources_.getImmediateSpellingLoc(location), reference, end);
      if (sources_.getFileID(argument) == sources_.getFileID(reference)) {
        return argument;
      }
    }
    const clang::CharSourceRange use = sources_.getImmediateExpansionRange(location);
    location = end ? use.getEnd() : use.getBegin();
  }
  return location;
}

unsigned SourceText::line(clang::SourceLocation location) const {
  return sources_.getPresumedLoc(sources_.getExpansionLoc(location)).getLine();
}

std::string SourceText::line_name(clang::SourceLocation location) const {
  const clang::PresumedLoc presumed = sources_.getPresumedLoc(sources_.getExpansionLoc(location));
  if (presumed.isInvalid()) {
    return "?";
  }
  return std::string(presumed.getFilename()) + ":" + std::to_string(presumed.getLine());
}

std::string_view SourceText::file_text(const std::string& path) const {
  const auto entry = sources_.getFileManager().getOptionalFileRef(path);
  if (!entry) {
    return {};
  }
  const auto buffer = const_cast<clang::SourceManager&>(sources_).getMemoryBufferForFileOrNone(*entry);
  return buffer ? std::string_view(buffer->getBuffer()) : std::string_view();
}

std::vector<RawToken> SourceText::tokens(const Place& from, const Place& to) const {
  const std::string_view text = file_text(from.path);
  std::vector<RawToken> tokens;
  if (from.path != to.path || to.offset > text.size() || from.offset > to.offset) {
    return tokens;
  }
  clang::Lexer lexer(clang::SourceLocation(), language_, text.data(), text.data() + from.offset, text.data() + text.size());
  clang::Token token;
  for (;;) {
    const bool last = lexer.LexFromRawLexer(token);
    const auto end = static_cast<std::size_t>(lexer.getBufferLocation() - text.data());
    const std::size_t begin = end - token.getLength();
    if (token.is(clang::tok::eof) || begin >= to.offset) {
      break;
    }
    tokens.push_back({text.substr(begin, token.getLength()), begin, token.hasLeadingSpace() || token.isAtStartOfLine(),
                      token.isAtStartOfLine()});
    if (last) {
      break;
    }
  }
  return tokens;
}

std::optional<RawToken> SourceText::token_at(const Place& place) const {
  const std::string_view text = file_text(place.path);
  if (place.offset >= text.size()) {
    return std::nullopt;
  }
  clang::Lexer lexer(clang::SourceLocation(), language_, text.data(), text.data() + place.offset, text.data() + text.size());
  clang::Token token;
  lexer.LexFromRawLexer(token);
  if (token.is(clang::tok::eof)) {
    return std::nullopt;
  }
  const std::size_t begin = static_cast<std::size_t>(lexer.getBufferLocation() - text.data()) - token.getLength();
  bool begins_line = false;
  for (std::size_t at = place.offset; at < begin; ++at) {
    const std::size_t before = text.find_last_not_of('\r', at - 1);
    begins_line = begins_line || (text[at] == '\n' && (at == 0 || text[before] != '\\'));
  }
  return RawToken{text.substr(begin, token.getLength()), begin, begin > place.offset, begins_line};
}

std::string joined(const std::vector<RawToken>& tokens) {
  std::string text;
  for (const RawToken& token : tokens) {
    if (!text.empty() && token.space_before) {
      text += ' ';
    }
    text += token.text;
  }
  return text;
}

std::optional<std::string> SourceText::one_line(const Place& from, const Place& to) const {
  const std::vector<RawToken> found = tokens(from, to);
  for (const RawToken& token : found) {
    if (token.begins_line && token.text == "#") {
      return std::nullopt;
    }
  }
  return joined(found);
}

}  // namespace phpc::port
