#pragma once
#include <clang/AST/ASTContext.h>

#include <optional>
#include <string>

#include "port/edits/source_text.hpp"

namespace phpc::port {

/// The text that gives a declaration its name: an identifier, or what macros make one of.
struct WrittenName {
  enum class Form {
    plain,     ///< `scale`
    pasted,    ///< `name##_kernel` in the definition of a macro
    expanded,  ///< a macro's parameter or a use of a macro that becomes the identifier: `CONCAT(scale_, 2)`
  };
  Form form;
  Place from;  ///< where the text stands
  Place to;
  bool is_beside;  ///< whether it stands beside the place that find_name() was asked about, not in a macro that holds more
  /// What names the declaration beside that place: the text itself, or else the identifier.
  std::string text;
};

/// Looks for a name's text beside `reference`, a place of the same declaration as its parenthesis or its last brace; where macros
/// hold more than the name, for the text in them that is the name alone. None where no file of the user's holds it, or where both
/// stand in different macros, so that no text of one names the other's.
std::optional<WrittenName> find_name(const SourceText& text, const clang::ASTContext& context, clang::SourceLocation name,
                                     clang::SourceLocation reference, const std::string& identifier);

/// Where the text of a range stands beside `reference`. None where a macro holds a part of it together with something else.
struct Extent {
  Place from;
  Place to;
};
std::optional<Extent> extent_beside(const SourceText& text, const clang::ASTContext& context, clang::SourceRange range,
                                    clang::SourceLocation reference);
/// That text on one line.
std::optional<std::string> text_beside(const SourceText& text, const clang::ASTContext& context, clang::SourceRange range,
                                       clang::SourceLocation reference);

}  // namespace phpc::port
