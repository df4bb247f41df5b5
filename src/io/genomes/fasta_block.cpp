#include "io/genomes/fasta_block.hpp"

#include <algorithm>

#include "io/genomes/letter_run.hpp"

namespace phpc::io {

namespace {

static_assert(TextBlock::slack >= letter_slack);

/// Where the line that holds byte `from` ends; the text's size where it does not.
std::size_t line_end(std::string_view text, std::size_t from) {
  const auto end = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(),
                                [](char byte) { return byte == '\n' || byte == '\r'; });
  return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

bool FastaBlock::ends_in_line_end() const {
  return size > 0 && classify(text().back()) == ByteClass::end;
}

/// Packs the letters that an event ends with.
void FastaBlock::pack(Event& event) {
  event.letter_count = letters_used - event.first_letter;
  event.first_word = words_used;
  words_used += static_cast<std::size_t>(base_words(static_cast<index_t>(event.letter_count)));
  if (words.size() < words_used) {
    words.resize(words_used);
  }
  event.non_iupac_count = pack_bases({letters.data() + event.first_letter, event.letter_count}, words.data() + event.first_word);
}

void FastaBlock::parse() {
  const std::string_view whole = text();
  events.clear();
  letters_used = 0;
  words_used = 0;
  if (letters.size() < size + letter_slack) {
    letters.resize(size + letter_slack);
    words.resize(size / bases_per_word + 1);
  }
  line_ends = count_line_ends(whole);

  first_line = line_end(whole, 0);
  first_letters = {Kind::letters, 0, 0};
  const LetterRun first = take_letters(whole.substr(0, first_line), letters.data());
  first_taken = first.taken;
  letters_used = first.letters;
  pack(first_letters);

  for (std::size_t at = first_line; at < size;) {
    Event run{Kind::letters, at, 0, letters_used};
    const LetterRun taken = take_letters(whole.substr(at), letters.data() + letters_used);
    at += taken.taken;
    letters_used += taken.letters;
    if (taken.letters > 0) {
      pack(run);
      events.push_back(run);
    }
    if (at < size) {
      take_line_start(at);
    }
  }
}

/// What is no letter: a header or a comment where a line begins, else a stranger, after which nothing is looked at.
void FastaBlock::take_line_start(std::size_t& at) {
  const std::string_view whole = text();
  const char byte = whole[at];
  const bool line_begins = classify(whole[at - 1]) == ByteClass::end;
  if (!line_begins || (byte != '>' && byte != ';')) {
    events.push_back({Kind::stranger, at, 1});
    at = size;
    return;
  }
  const std::size_t end = line_end(whole, at);
  if (byte == '>') {
    events.push_back({end < size ? Kind::header : Kind::open_header, at + 1, end - at - 1});
  } else if (end == size) {
    events.push_back({Kind::open_comment, at, end - at});
  }
  at = end;
}

}  // namespace phpc::io
