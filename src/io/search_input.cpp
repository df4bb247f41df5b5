#include "phpc/io/search_input.hpp"

#include <algorithm>
#include <array>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

// 100 000 guides take 3 MB: a file far beyond that is a genome given by mistake, not worth reading to its end.
constexpr std::size_t longest_file = std::size_t{256} << 20;
constexpr std::size_t longest_shown = 40;

/// Text of the user's for a message: shortened, control characters replaced.
std::string shown(std::string_view text) {
  std::string shortened(text.substr(0, longest_shown));
  for (char& letter : shortened) {
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') {
      letter = '?';
    }
  }
  return "'" + shortened + (text.size() > longest_shown ? "...'" : "'");
}

std::string read_whole(InputFile& file) {
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (const std::size_t got = file.read(block)) {
    text.append(block.data(), got);
    PHPC_VALIDATE(text.size() <= longest_file, ErrorKind::input,
                  "'" + file.name() + "' is too large for a list of queries (over 256 MiB); is it the genome?");
  }
  return text;
}

class SearchInputParser {
 public:
  explicit SearchInputParser(std::string file) { input_.file = std::move(file); }

  SearchInput parse(std::string_view text) {
    for (index_t line = 1; !text.empty(); ++line) {
      const std::size_t newline = std::min(text.find('\n'), text.size());
      take(trimmed(text.substr(0, newline)), line);
      text.remove_prefix(std::min(newline + 1, text.size()));
    }
    PHPC_VALIDATE(!input_.genome_path.empty(), ErrorKind::input,
                  "'" + input_.file + "' is empty; line 1 is the genome's path, line 2 the pattern, then one query a line");
    PHPC_VALIDATE(!input_.pattern.empty(), ErrorKind::input, "'" + input_.file + "' has no pattern; write it on line 2");
    PHPC_VALIDATE(!input_.queries.empty(), ErrorKind::input,
                  "'" + input_.file + "' has no query; write 'query mismatches [id]' on line 3 and on");
    return std::move(input_);
  }

 private:
  void take(std::string_view line, index_t number) {
    if (line.empty()) {
      return;
    }
    if (line.find('\0') != std::string_view::npos) {
      fail_at_line(input_.file, number, "a zero byte; this is no text file");
    }
    if (input_.genome_path.empty()) {
      input_.genome_path = line;
    } else if (input_.pattern.empty()) {
      take_pattern(line, number);
    } else {
      take_query(line, number);
    }
  }

  index_t count(std::string_view field, const char* what, index_t number) const {
    const auto value = parse_integer(field);
    if (!value.has_value() || *value < 0) {
      fail_at_line(input_.file, number, shown(field) + " is no " + what + "; give a whole number, 0 or more");
    }
    return *value;
  }

  void check_letters(std::string_view sequence, index_t number) const {
    const bool fine = std::all_of(sequence.begin(), sequence.end(), [](char letter) {
      return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') || letter == '-';
    });
    if (!fine) {
      fail_at_line(input_.file, number, shown(sequence) + " is no sequence; give IUPAC letters (ACGT RYSWKM BDHV N)");
    }
  }

  void take_pattern(std::string_view line, index_t number) {
    const std::vector<std::string_view> fields = split_blanks(line);
    if (fields.size() != 1 && fields.size() != 3) {
      fail_at_line(input_.file, number,
                   shown(line) + " is no pattern line (" + std::to_string(fields.size()) +
                       " fields); write 'pattern' or 'pattern DNA-bulge RNA-bulge'");
    }
    check_letters(fields[0], number);
    input_.pattern = fields[0];
    input_.pattern_line = number;
    if (fields.size() == 3) {
      input_.has_bulge_fields = true;
      input_.dna_bulge = count(fields[1], "DNA bulge size", number);
      input_.rna_bulge = count(fields[2], "RNA bulge size", number);
    }
  }

  void take_query(std::string_view line, index_t number) {
    const std::vector<std::string_view> fields = split_blanks(line);
    if (fields.size() != 2 && fields.size() != 3) {
      fail_at_line(input_.file, number,
                   shown(line) + " is no query line (" + std::to_string(fields.size()) + " field" +
                       (fields.size() == 1 ? "" : "s") + "); write 'query mismatches [id]'");
    }
    check_letters(fields[0], number);
    if (fields[0].size() != input_.pattern.size()) {
      fail_at_line(input_.file, number,
                   "query " + shown(fields[0]) + " has " + std::to_string(fields[0].size()) + " letters where the pattern has " +
                       std::to_string(input_.pattern.size()) + "; write N for the PAM's letters");
    }
    SearchInput::Query query{std::string(fields[0]), count(fields[1], "number of mismatches", number),
                             fields.size() == 3 ? std::string(fields[2]) : std::string(), number};
    if (!input_.queries.empty() && query.id.empty() != input_.queries.front().id.empty()) {
      fail_at_line(input_.file, number,
                   std::string(query.id.empty() ? "an id is missing" : "there is an id") + " unlike on line " +
                       std::to_string(input_.queries.front().line) + "; give all queries an id or none");
    }
    input_.queries.push_back(std::move(query));
  }

  SearchInput input_;
};

}  // namespace

void fail_at_line(const std::string& file, index_t line, const std::string& problem) {
  fail(ErrorKind::input, file + ":" + std::to_string(line) + ": " + problem);
}

SearchInput read_search_input(const std::string& path) {
  InputFile file(path);
  return SearchInputParser(file.name()).parse(read_whole(file));
}

}  // namespace phpc::io
