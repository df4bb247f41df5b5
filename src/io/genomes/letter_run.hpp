#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// Sequence lines without what is between their letters.
namespace phpc::io {

/// What a byte of a sequence line is.
enum class ByteClass : std::uint8_t {
  other,   ///< no part of a sequence
  letter,  ///< A-Z in either case, '-', '*', '.'
  blank,   ///< blank or tab
  end,     ///< LF or CR
};
ByteClass classify(char byte);

/// Bytes that may be read after the text given to take_letters, and written after the letters.
inline constexpr std::size_t letter_slack = 64;

struct LetterRun {
  std::size_t taken;    ///< bytes of the text
  std::size_t letters;  ///< of them, letters
};

/// Copies the letters of sequence lines to `letters`, leaving out blanks and line ends; stops at the first byte that is neither.
/// `text` is followed by letter_slack readable bytes, `letters` has room for as many as the text has and letter_slack more.
LetterRun take_letters(std::string_view text, char* letters);

/// Forms of take_letters that this processor can run, the fastest first. They stop at the first byte that is no part of a
/// sequence or up to 63 bytes before it.
using TakeLetters = LetterRun (*)(std::string_view text, char* letters);
std::vector<TakeLetters> take_letters_forms();

/// Lines ended in `text`: LF, CR LF and CR alone end one each. A CR at the end counts: `text` does not end between CR and LF.
std::uint64_t count_line_ends(std::string_view text);

}  // namespace phpc::io
