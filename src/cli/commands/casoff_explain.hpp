#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phpc/casoff/pattern.hpp"

namespace phpc::cli {

enum class Coloring { none, terminal };

/// A picture of one alignment, as of a row of the output, and what it comes to: mismatches, bulges, the pattern, scores.
///
///                1   5    10   15   20
///     guide      GACCTGATTACAGATTACATNNN
///                |||*|||||||||||||||*:::
///     site       GACTTGATTACAGATTACAGTGG
///
/// `guide` and `site` are rows as long as each other, '-' for bulges, in either case; where neither has one, a guide that is
/// shorter gets Ns for the PAM: behind, or before when the pattern begins otherwise than with N. Whichever of the site and its
/// reverse complement has fewer mismatches is shown. `pattern` may be empty. Throws Error(usage) for rows that do not fit
/// together.
std::string explain_site(std::string_view guide, std::string_view site, std::string_view pattern, casoff::Ambiguity ambiguity,
                         Coloring coloring);

/// Writes '_' for a '-' at the beginning of the two arguments after --explain, which would be taken for options, unless they look
/// like options (one letter after '-', or lower-case letters only).
void protect_explained_rows(std::vector<std::string>& arguments);

/// Colours where standard output is a terminal and NO_COLOR is not set.
Coloring coloring_of_standard_output();

}  // namespace phpc::cli
