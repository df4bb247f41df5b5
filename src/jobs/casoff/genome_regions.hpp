#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::jobs {

/// Which parts of which sequences are searched: texts as samtools takes them, "name", "name:from", "name:from-to", 1-based and
/// inclusive, commas within numbers ignored. A name is a whole header or its first word; a sequence whose name is the whole text
/// is meant before one whose name is what stands before the colon.
class GenomeRegions {
 public:
  /// 0-based, the end excluded.
  struct Interval {
    index_t begin;
    index_t end;
    bool operator==(const Interval&) const = default;
  };

  /// Throws Error(usage) for a text that can be nothing but wrong ("name:9-3" is: no name has such an end).
  explicit GenomeRegions(const std::vector<std::string>& texts);

  /// The parts of a sequence of this header, ascending and apart; nothing is left out (nullopt) when there are no regions at all.
  std::optional<std::vector<Interval>> parts_of(std::string_view header);
  /// After the sequence's last letter: Error(input) when a region began beyond its end.
  void check_length(std::string_view header, index_t length) const;
  /// After the genome's last sequence: Error(input) when a region belonged to none.
  void check_all_found() const;

 private:
  struct Region {
    std::string text;
    std::string name;   ///< before the colon
    Interval interval;  ///< of the sequence `name`
    bool has_interval;
    bool found = false;
  };

  std::vector<Region> regions_;
};

/// The header's first word.
std::string_view first_word(std::string_view header);

}  // namespace phpc::jobs
