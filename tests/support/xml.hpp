#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace phpc::test {

/// What is wrong with a document as XML 1.0, and where; empty = it is well-formed. Knows elements, attributes and references to
/// characters, which is what SVG pictures have; comments, declarations and the like count as wrong.
std::string xml_complaint(std::string_view document);

/// How often `part` stands in `text`.
std::size_t occurrences(std::string_view text, std::string_view part);

}  // namespace phpc::test
