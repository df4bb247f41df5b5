#include "port/edits/written_name.hpp"

#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace phpc::port {

namespace {

using Form = WrittenName::Form;

/// The first or the last token of a text at one level of macros: a file, or the text of one macro.
struct Edge {
  clang::SourceLocation at;
  Form form;
};

/// Both.
struct Span {
  clang::SourceLocation begin;
  clang::SourceLocation end;
  Form form;
};

/// Climbs from the text of macros to where these are used.
class Climber {
 public:
  /// `reference`: a place at the level that is looked for.
  Climber(const clang::ASTContext& context, clang::SourceLocation reference)
      : sources_(context.getSourceManager()),
        language_(context.getLangOpts()),
        through_arguments_(reference.isMacroID() && sources_.isMacroArgExpansion(reference)) {
    while (reference.isMacroID() && sources_.isMacroArgExpansion(reference)) {
      reference = sources_.getImmediateSpellingLoc(reference);
    }
    is_in_file_ = reference.isFileID();
    level_ = sources_.getFileID(reference);
  }

  /// Whether the level is a file, not the text of a macro.
  [[nodiscard]] bool is_in_file() const { return is_in_file_; }

  [[nodiscard]] std::optional<Edge> begin(clang::SourceLocation at) const { return climb({at, Form::plain}, false); }
  [[nodiscard]] std::optional<Edge> end(clang::SourceLocation at) const { return climb({at, Form::plain}, true); }

  /// The highest level at which there is nothing but what the span is: the one that is looked for, or one below it.
  [[nodiscard]] Span highest(const Span& span) const {
    if (is_at_level(span.begin)) {
      return span;
    }
    if (passes_argument(span.begin)) {
      const Span spelled =
          highest({sources_.getImmediateSpellingLoc(span.begin), sources_.getImmediateSpellingLoc(span.end), span.form});
      if (is_at_level(spelled.begin)) {
        return spelled;
      }
    }
    const auto begin = above(span.begin, false);
    const auto end = above(span.end, true);
    return begin && end ? highest({begin->at, end->at, begin->form}) : span;
  }

  [[nodiscard]] bool is_at_level(clang::SourceLocation at) const { return sources_.getFileID(at) == level_; }

 private:
  /// One level up, if the edge is that of a whole macro, of a macro's argument, or of what `##` joins.
  [[nodiscard]] std::optional<Edge> above(clang::SourceLocation at, bool is_end) const {
    if (!at.isMacroID()) {
      return std::nullopt;
    }
    const clang::CharSourceRange use = sources_.getImmediateExpansionRange(at);
    const clang::SourceLocation up = is_end ? use.getEnd() : use.getBegin();
    if (sources_.isWrittenInScratchSpace(sources_.getImmediateSpellingLoc(at))) {
      return Edge{up, Form::pasted};
    }
    const unsigned length = clang::Lexer::MeasureTokenLength(sources_.getSpellingLoc(at), sources_, language_);
    const bool is_edge = is_end ? sources_.isAtEndOfImmediateMacroExpansion(at.getLocWithOffset(static_cast<int>(length)))
                                : sources_.isAtStartOfImmediateMacroExpansion(at);
    return is_edge ? std::optional(Edge{up, Form::expanded}) : std::nullopt;
  }

  [[nodiscard]] std::optional<Edge> climb(const Edge& edge, bool is_end) const {
    if (is_at_level(edge.at)) {
      return edge;
    }
    if (passes_argument(edge.at)) {
      if (const auto found = climb({sources_.getImmediateSpellingLoc(edge.at), edge.form}, is_end)) {
        return found;
      }
    }
    const std::optional<Edge> higher = above(edge.at, is_end);
    return higher ? climb(*higher, is_end) : std::nullopt;
  }

  /// Whether a text is to be looked for where it stands as a macro's argument: the level is of such text.
  [[nodiscard]] bool passes_argument(clang::SourceLocation at) const {
    return through_arguments_ && at.isMacroID() && sources_.isMacroArgExpansion(at);
  }

  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  bool through_arguments_;
  bool is_in_file_;
  clang::FileID level_;
};

bool is_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// Widens a name in a macro's definition to all that `##` joins to it: nothing was pasted where an argument is empty.
void widen(std::string_view file, WrittenName& name) {
  constexpr std::string_view space = " \t\\\r\n";
  for (;;) {
    const std::size_t joint = file.find_first_not_of(space, name.to.offset);
    const std::size_t next = joint == std::string_view::npos || file.substr(joint, 2) != "##"
                                 ? std::string_view::npos
                                 : file.find_first_not_of(space, joint + 2);
    if (next == std::string_view::npos || !is_letter(file[next])) {
      break;
    }
    name.form = Form::pasted;
    name.to.offset = static_cast<std::size_t>(
        std::find_if_not(file.begin() + static_cast<std::ptrdiff_t>(next), file.end(), is_letter) - file.begin());
  }
  for (;;) {
    const std::size_t joint = name.from.offset == 0 ? std::string_view::npos : file.find_last_not_of(space, name.from.offset - 1);
    const std::size_t last = joint == std::string_view::npos || joint < 2 || file.substr(joint - 1, 2) != "##"
                                 ? std::string_view::npos
                                 : file.find_last_not_of(space, joint - 2);
    if (last == std::string_view::npos || !is_letter(file[last])) {
      break;
    }
    name.form = Form::pasted;
    name.from.offset = last;
    while (name.from.offset > 0 && is_letter(file[name.from.offset - 1])) {
      --name.from.offset;
    }
  }
}

}  // namespace

std::optional<WrittenName> find_name(const SourceText& text, const clang::ASTContext& context, clang::SourceLocation name,
                                     clang::SourceLocation reference, const std::string& identifier) {
  const Climber climber(context, reference);
  const Span span = climber.highest({name, name, Form::plain});
  const auto from = text.place(span.begin);
  const auto to = text.end_of_token(span.end);
  if (!from || !to || from->path != to->path || to->offset < from->offset) {
    return std::nullopt;
  }
  WrittenName found{span.form, *from, *to, climber.is_at_level(span.begin), identifier};
  if (span.begin.isMacroID()) {
    widen(text.file_text(from->path), found);
  }
  if (found.is_beside) {
    const auto written = text.one_line(found.from, found.to);
    if (!written) {
      return std::nullopt;
    }
    found.text = *written;
  } else if (!climber.is_in_file()) {
    return std::nullopt;  // each use of the macro would have another identifier
  }
  return found;
}

std::optional<Extent> extent_beside(const SourceText& text, const clang::ASTContext& context, clang::SourceRange range,
                                    clang::SourceLocation reference) {
  const Climber climber(context, reference);
  const auto begin = climber.begin(range.getBegin());
  const auto end = climber.end(range.getEnd());
  const auto from = begin ? text.place(begin->at) : std::nullopt;
  const auto to = end ? text.end_of_token(end->at) : std::nullopt;
  return from && to && from->path == to->path && from->offset <= to->offset ? std::optional(Extent{*from, *to}) : std::nullopt;
}

std::optional<std::string> text_beside(const SourceText& text, const clang::ASTContext& context, clang::SourceRange range,
                                       clang::SourceLocation reference) {
  const auto extent = extent_beside(text, context, range, reference);
  return extent ? text.one_line(extent->from, extent->to) : std::nullopt;
}

}  // namespace phpc::port
