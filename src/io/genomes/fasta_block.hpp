#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "io/files/text_source.hpp"
#include "phpc/core/base_word.hpp"

namespace phpc::io {

/// A block of FASTA, taken apart as far as that can be done without the blocks before it. The block's first line may go on from
/// them: only who knows them knows what it is, and until then it is both text and, should it be sequence, packed letters.
struct FastaBlock : TextBlock {
  enum class Kind {
    letters,
    header,       ///< a whole header line
    open_header,  ///< a header line that the block ends in
    open_comment,
    stranger,  ///< a byte that belongs to no FASTA; nothing comes after it
  };
  /// Something that comes after the first line, in order.
  struct Event {
    Kind kind;
    std::size_t at;      ///< in the text: the first byte of it
    std::size_t length;  ///< of headers: bytes of the name
    std::size_t first_letter = 0;
    std::size_t letter_count = 0;
    std::size_t first_word = 0;
    index_t non_iupac_count = 0;  ///< letters that packed bases cannot hold
  };

  std::size_t first_line = 0;   ///< bytes up to the first line end, which the block may lack
  Event first_letters{};        ///< of the first line; letter_count is what it has before a stranger
  std::size_t first_taken = 0;  ///< bytes of the first line before a stranger
  std::vector<Event> events;
  std::uint64_t line_ends = 0;

  std::vector<char> letters;
  std::vector<BaseWord> words;
  std::size_t letters_used = 0;
  std::size_t words_used = 0;

  /// Takes text() apart.
  void parse();
  [[nodiscard]] bool ends_in_line_end() const;

 private:
  void take_line_start(std::size_t& at);
  void pack(Event& event);
};

}  // namespace phpc::io
