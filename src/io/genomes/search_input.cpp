#include "phpc/io/search_input.hpp"

#include <algorithm>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

/// More lines than guides of any search, which has 2^22 alignments at most.
constexpr index_t most_lines = (index_t{1} << 22) + 2;

/// Text of the user's for a message, which is cut and made printable where it is shown.
std::string shown(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// Hands on the lines that are not blank, without blanks at their ends, with their numbers from 1 on.
template <class TakeLine>
void for_each_line(std::string_view text, TakeLine take_line) {
  for (index_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (const std::string_view content = trimmed(text.substr(0, end)); !content.empty()) {
      take_line(content, line);
    }
    const bool is_pair = text.substr(end).starts_with("\r\n");
    text.remove_prefix(std::min(end + (is_pair ? 2 : 1), text.size()));
  }
}

/// Before memory is taken for them, many times that of the text.
void check_number_of_lines(std::string_view text, const std::string& file) {
  index_t lines = 0;
  for_each_line(text, [&lines](std::string_view, index_t) { ++lines; });
  PHPC_VALIDATE(lines <= most_lines, ErrorKind::input,
                "'" + file + "' has " + std::to_string(lines) + " lines, more than a search takes guides (" +
                    std::to_string(most_lines - 2) + "); search for some of them at a time");
}

std::string place_of(const std::string& file, index_t line) {
  return file + ":" + std::to_string(line);
}

void check_no_zero_byte(std::string_view line, const std::string& place) {
  if (line.find('\0') != std::string_view::npos) {
    fail_at(place, "a zero byte; this is no text file");
  }
}

index_t parse_count(std::string_view field, const char* what, const std::string& place) {
  const auto value = parse_integer(field);
  if (!value.has_value() || *value < 0) {
    fail_at(place, shown(field) + " is no " + what + "; give a whole number, 0 or more");
  }
  return *value;
}

void check_letters(std::string_view sequence, const std::string& place) {
  const bool fine = !sequence.empty() && std::all_of(sequence.begin(), sequence.end(), [](char letter) {
    return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') || letter == '-';
  });
  if (!fine) {
    fail_at(place, shown(sequence) + " is no sequence; give IUPAC letters (ACGT RYSWKM BDHV N)");
  }
}

void add_query(SearchInput& input, SearchInput::Query query) {
  check_letters(query.sequence, query.place);
  if (query.sequence.size() != input.pattern.size()) {
    fail_at(query.place, "query " + shown(query.sequence) + " has " +
                             counted(static_cast<index_t>(query.sequence.size()), "letter") + " where the pattern has " +
                             std::to_string(input.pattern.size()) + "; write N for the PAM's letters");
  }
  if (!input.queries.empty() && query.id.empty() != input.queries.front().id.empty()) {
    fail_at(query.place, std::string(query.id.empty() ? "an id is missing" : "there is an id") + " unlike at " +
                             input.queries.front().place + "; give all queries an id or none");
  }
  input.queries.push_back(std::move(query));
}

class SearchInputParser {
 public:
  explicit SearchInputParser(std::string file) : file_(std::move(file)) {}

  SearchInput parse(std::string_view text) {
    check_number_of_lines(text, file_);
    for_each_line(text, [this](std::string_view line, index_t number) { take(line, place_of(file_, number)); });
    PHPC_VALIDATE(!input_.genome_path.empty(), ErrorKind::input,
                  "'" + file_ + "' is empty; line 1 is the genome's path, line 2 the pattern, then one query a line");
    PHPC_VALIDATE(!input_.pattern.empty(), ErrorKind::input, "'" + file_ + "' has no pattern; write it on line 2");
    PHPC_VALIDATE(!input_.queries.empty(), ErrorKind::input,
                  "'" + file_ + "' has no query; write 'query mismatches [id]' on line 3 and on");
    return std::move(input_);
  }

 private:
  void take(std::string_view line, const std::string& place) {
    check_no_zero_byte(line, place);
    if (input_.genome_path.empty()) {
      input_.genome_path = line;
    } else if (input_.pattern.empty()) {
      take_pattern(line, place);
    } else {
      take_query(line, place);
    }
  }

  void take_pattern(std::string_view line, const std::string& place) {
    const std::vector<std::string_view> fields = split_blanks(line);
    if (fields.size() != 1 && fields.size() != 3) {
      fail_at(place, shown(line) + " is no pattern line (" + counted(static_cast<index_t>(fields.size()), "field") +
                         "); write 'pattern' or 'pattern DNA-bulge RNA-bulge'");
    }
    check_letters(fields[0], place);
    input_.pattern = fields[0];
    input_.pattern_place = place;
    if (fields.size() == 3) {
      input_.has_bulge_fields = true;
      input_.dna_bulge = parse_count(fields[1], "DNA bulge size", place);
      input_.rna_bulge = parse_count(fields[2], "RNA bulge size", place);
    }
  }

  void take_query(std::string_view line, const std::string& place) {
    const std::vector<std::string_view> fields = split_blanks(line);
    if (fields.size() != 2 && fields.size() != 3) {
      fail_at(place, shown(line) + " is no query line (" + counted(static_cast<index_t>(fields.size()), "field") +
                         "); write 'query mismatches [id]'");
    }
    check_letters(fields[0], place);
    add_query(input_, {std::string(fields[0]), parse_count(fields[1], "number of mismatches", place),
                       fields.size() == 3 ? std::string(fields[2]) : std::string(), place});
  }

  std::string file_;
  SearchInput input_;
};

/// `sequence` with N for the letters that the pattern has more, on the PAM's side.
std::string filled_up(const std::string& sequence, const std::string& pattern) {
  const auto is_n = [](char letter) { return letter == 'N' || letter == 'n'; };
  if (sequence.empty() || sequence.size() >= pattern.size() || is_n(pattern.front()) == is_n(pattern.back())) {
    return sequence;
  }
  const std::string fill(pattern.size() - sequence.size(), 'N');
  return is_n(pattern.front()) ? sequence + fill : fill + sequence;
}

}  // namespace

void fail_at(const std::string& place, const std::string& problem) {
  // A place is a line of a file, or the option that gave the text.
  fail(place.starts_with("--") ? ErrorKind::usage : ErrorKind::input, place + ": " + problem);
}

SearchInput read_search_input(const std::string& path) {
  InputFile file(path);
  return SearchInputParser(file.name()).parse(file.read_rest(InputFile::longest_list));
}

GuideText parse_guide(std::string_view text) {
  const std::size_t first = text.find(':');
  GuideText guide{std::string(text.substr(0, first)), std::nullopt, {}, "--guide " + shown(text)};
  if (first != std::string_view::npos) {
    const std::string_view rest = text.substr(first + 1);
    const std::size_t second = rest.find(':');
    guide.mismatches = parse_count(rest.substr(0, second), "number of mismatches", guide.place);
    if (second != std::string_view::npos) {
      guide.id = rest.substr(second + 1);
    }
  }
  if (std::any_of(guide.id.begin(), guide.id.end(), [](char letter) { return static_cast<unsigned char>(letter) <= ' '; })) {
    fail_at(guide.place, "the id holds a blank or a control character; write it without");
  }
  return guide;
}

std::vector<GuideText> read_guides(const std::string& path) {
  InputFile file(path);
  std::vector<GuideText> guides;
  const std::string text = file.read_rest(InputFile::longest_list);
  check_number_of_lines(text, file.name());
  for_each_line(text, [&](std::string_view line, index_t number) {
    const std::string place = place_of(file.name(), number);
    check_no_zero_byte(line, place);
    const std::vector<std::string_view> fields = split_blanks(line);
    if (fields.size() > 3) {
      fail_at(place,
              shown(line) + " is no guide (" + std::to_string(fields.size()) + " fields); write 'sequence [mismatches [id]]'");
    }
    GuideText guide{std::string(fields[0]), std::nullopt, {}, place};
    if (fields.size() > 1) {
      guide.mismatches = parse_count(fields[1], "number of mismatches", place);
    }
    if (fields.size() > 2) {
      guide.id = fields[2];
    }
    guides.push_back(std::move(guide));
  });
  PHPC_VALIDATE(!guides.empty(), ErrorKind::input, "'" + file.name() + "' has no guide; write one a line");
  return guides;
}

std::string as_dna(std::string_view letters) {
  std::string dna(letters);
  std::replace(dna.begin(), dna.end(), 'U', 'T');
  std::replace(dna.begin(), dna.end(), 'u', 't');
  return dna;
}

SearchInput make_search_input(std::string genome_path, const std::string& pattern, const std::vector<GuideText>& guides,
                              std::optional<index_t> mismatches) {
  SearchInput input;
  input.genome_path = std::move(genome_path);
  input.pattern_place = "--pattern";
  check_letters(pattern, input.pattern_place);
  input.pattern = as_dna(pattern);
  for (const GuideText& guide : guides) {
    const std::optional<index_t> most = guide.mismatches.has_value() ? guide.mismatches : mismatches;
    if (!most.has_value()) {
      fail_at(guide.place, "there is no number of mismatches; write 'sequence:mismatches' or give --mismatches");
    }
    add_query(input, {filled_up(as_dna(guide.sequence), input.pattern), *most, guide.id, guide.place});
  }
  return input;
}

}  // namespace phpc::io
