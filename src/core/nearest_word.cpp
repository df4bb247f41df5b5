#include "phpc/core/nearest_word.hpp"

#include <algorithm>
#include <vector>

#include "phpc/core/parse.hpp"

namespace phpc {

namespace {

// Longer than any word that the program knows; of a longer one the distance would take long and mean nothing.
constexpr std::size_t longest_compared = 64;

/// Optimal string alignment distance: insertions, deletions, substitutions and transpositions of neighbours.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last(to.size() + 1);
  std::vector<std::size_t> last(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t exchanged = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, exchanged});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[to.size()];
}

}  // namespace

std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> known) {
  if (word.empty() || word.size() > longest_compared) {
    return std::nullopt;
  }
  const std::string wanted = lower_case(word);
  // All letters of a short word may not be others: "-x" is not nearly "-o".
  const std::size_t letters = wanted.size() - std::min(wanted.find_first_not_of('-'), wanted.size());
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(wanted.size() / 3, 1) + 1;
  const std::string* completed = nullptr;
  std::size_t completions = 0;
  for (const std::string& candidate : known) {
    const std::string lowered = lower_case(candidate);
    if (const std::size_t changes = distance(wanted, lowered); changes < least && changes < letters) {
      least = changes;
      nearest = &candidate;
    }
    if (letters > 0 && lowered.starts_with(wanted)) {
      completed = &candidate;
      ++completions;
    }
  }
  if (completions == 1) {
    return *completed;
  }
  return nearest == nullptr ? std::nullopt : std::optional(*nearest);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::optional<std::string> nearest = nearest_word(word, known);
  return nearest && *nearest != word ? " (did you mean '" + *nearest + "'?)" : "";
}

}  // namespace phpc
