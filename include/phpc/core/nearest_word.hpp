#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace phpc {

/// The known word that somebody who wrote `word` most likely meant: the one with the fewest letters put in, left out, exchanged
/// or swapped with their neighbour (optimal string alignment distance, any case), where these are at most a third of the letters;
/// else the only one that begins with `word`. nullopt where none is near.
std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> known);

/// " (did you mean 'x'?)" for a message, or nothing where no word is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace phpc
