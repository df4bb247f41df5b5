#include "phpc/io/genome_source.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "io/files/byte_stream.hpp"
#include "io/files/folder_names.hpp"
#include "io/files/text_source.hpp"
#include "io/genomes/fasta_reader.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/fasta.hpp"
#include "phpc/io/input_file.hpp"
#include "phpc/io/packed_genome.hpp"
#include "phpc/io/twobit.hpp"

namespace phpc::io {

namespace {

namespace fs = std::filesystem;

/// The first byte that is neither blank nor line end tells FASTA: blank lines and comments may come first.
GenomeFormat format_of(std::span<const char> beginning) {
  if (beginning.empty()) {
    return GenomeFormat::empty;
  }
  if (is_twobit(beginning)) {
    return GenomeFormat::twobit;
  }
  if (is_packed_genome(beginning)) {
    return GenomeFormat::packed;
  }
  for (const char byte : beginning) {
    if (byte == '>' || byte == ';') {
      return GenomeFormat::fasta;
    }
    if (byte != '\n' && byte != '\r' && byte != ' ' && byte != '\t') {
      return GenomeFormat::foreign;
    }
  }
  return GenomeFormat::empty;
}

GenomeFormat format_within(std::string_view packed, const std::string& name) {
  constexpr std::size_t looked_at = 4096;
  const GenomeFormat format = format_of(inflate_beginning(packed, looked_at, name));
  switch (format) {
    case GenomeFormat::fasta:
      return GenomeFormat::gzip_fasta;
    case GenomeFormat::twobit:
      return GenomeFormat::gzip_twobit;
    default:
      return format;
  }
}

GenomeSource::File look_at(const std::string& path) {
  constexpr std::size_t looked_at = std::size_t{1} << 16;
  GenomeSource::File found{path, GenomeFormat::empty, 0, nullptr};
  std::string beginning;
  std::error_code error;
  // A pipe must not be opened twice: what it gives to the first reader is gone.
  const bool is_pipe = path != "-" && fs::exists(path, error) && !fs::is_regular_file(path, error);
  const auto file = is_pipe ? nullptr : std::make_unique<InputFile>(path);
  if (file != nullptr && file->size().has_value()) {
    found.bytes = *file->size();
    beginning.resize(looked_at);
    beginning.resize(file->read_at(0, beginning));
  } else {
    found.stream = std::make_shared<ByteStream>(path);
    beginning = found.stream->peek(looked_at);
  }
  found.format = is_gzip(beginning) ? format_within(beginning, path == "-" ? "standard input" : path) : format_of(beginning);
  return found;
}

bool is_readable(const GenomeSource::File& file) {
  switch (file.format) {
    case GenomeFormat::fasta:
    case GenomeFormat::gzip_fasta:
      return true;
    case GenomeFormat::twobit:
    case GenomeFormat::packed:
      return file.stream == nullptr;
    default:
      return false;
  }
}

std::string why_not(GenomeFormat format) {
  switch (format) {
    case GenomeFormat::gzip_twobit:
      return "it is compressed, and needs to be read from any place; unpack it";
    case GenomeFormat::empty:
      return "it is empty";
    case GenomeFormat::twobit:
    case GenomeFormat::packed:
      return "it comes through a pipe, and needs to be read from any place; give a file";
    default:
      return "it begins neither like FASTA ('>') nor like .2bit or .phg";
  }
}

/// The longest name in bytes, as in FASTA.
constexpr std::size_t longest_name = std::size_t{1} << 20;

/// Passes sequences on, checks their names, and counts them and their letters.
class CountingConsumer final : public SequenceConsumer {
 public:
  explicit CountingConsumer(SequenceConsumer& consumer) : consumer_(consumer) {}
  /// Names of binary files may hold what no line of FASTA can. A line end would begin another row in files of rows.
  void begin_sequence(std::string_view name) override {
    ++sequences_;
    if (name.size() > longest_name || name.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos) {
      fail(ErrorKind::input, "'" + file_ + "' cannot be read: the name of its sequence " + std::to_string(sequences_ - before_) +
                                 (name.size() > longest_name ? " is longer than 1 MiB" : " holds a line end or a zero byte") +
                                 " (it is damaged or made wrongly); make the file again");
    }
    consumer_.begin_sequence(name);
  }
  void letters(std::string_view block) override {
    count_ += block.size();
    consumer_.letters(block);
  }
  void bases(std::span<const BaseWord> words, index_t count) override {
    count_ += static_cast<std::uint64_t>(count);
    consumer_.bases(words, count);
  }
  void skip(index_t count) override {
    count_ += static_cast<std::uint64_t>(count);
    consumer_.skip(count);
  }
  void end_sequence() override { consumer_.end_sequence(); }
  /// What comes next is this file's.
  void begin_file(const std::string& path) {
    file_ = path;
    before_ = sequences_;
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] index_t sequences() const { return sequences_; }

 private:
  SequenceConsumer& consumer_;
  std::string file_;
  index_t before_ = 0;  ///< sequences of earlier files
  std::uint64_t count_ = 0;
  index_t sequences_ = 0;
};

std::vector<std::string> sorted_entries(const std::string& folder) {
  std::vector<std::string> paths;
  for (const std::string& name : folder_names(folder, Hidden::left_out)) {
    paths.push_back((fs::path(folder) / name).string());
  }
  return paths;
}

}  // namespace

GenomeSource::GenomeSource(const std::string& path, const std::function<void(const std::string&)>& warn) : path_(path) {
  PHPC_VALIDATE(!path.empty(), ErrorKind::input,
                "the genome's path is empty; give a FASTA, .2bit or .phg file or a folder of them");
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const File file = look_at(path);
    PHPC_VALIDATE(is_readable(file), ErrorKind::input, "cannot read a genome from '" + path + "' (" + why_not(file.format) + ")");
    files_.push_back(file);
    return;
  }
  for (const std::string& entry : sorted_entries(path)) {
    if (!fs::exists(entry, error)) {
      warn("skipping '" + entry + "' (a symbolic link that leads nowhere)");
    } else if (!fs::is_regular_file(entry, error)) {
      warn("skipping '" + entry + "' (it is no regular file; folders are not entered)");
    } else if (const File file = look_at(entry); is_readable(file)) {
      files_.push_back(file);
    } else {
      warn("skipping '" + entry + "' (" + why_not(file.format) + ")");
    }
  }
  // A compressed file beside others is a copy of one of them, as a rule, and Cas-OFFinder leaves it out as well.
  const auto is_compressed = [](const File& file) { return file.format == GenomeFormat::gzip_fasta; };
  if (!std::all_of(files_.begin(), files_.end(), is_compressed)) {
    for (const File& file : files_) {
      if (is_compressed(file)) {
        warn("skipping '" + file.path + "' (it is compressed, and others in the folder are not); unpack it if it belongs there");
      }
    }
    std::erase_if(files_, is_compressed);
  }
  PHPC_VALIDATE(!files_.empty(), ErrorKind::input,
                "there is no genome in the folder '" + path + "'; put FASTA, .2bit or .phg files there");
}

void GenomeSource::read(SequenceConsumer& consumer, int threads, const Wanted& wanted) const {
  CountingConsumer counting(consumer);
  for (const File& file : files_) {
    counting.begin_file(file.path);
    Wanted wanted_here;  // which numbers the file's own sequences
    if (wanted) {
      wanted_here = [&wanted, before = counting.sequences()](index_t sequence, index_t first, index_t end) {
        return wanted(before + sequence, first, end);
      };
    }
    if (file.stream != nullptr) {
      read_fasta(*open_text_stream(*file.stream), counting, threads);
    } else if (file.format == GenomeFormat::twobit) {
      read_twobit(InputFile(file.path), counting, threads, wanted_here);
    } else if (file.format == GenomeFormat::packed) {
      read_packed_genome(InputFile(file.path), counting, threads, wanted_here);
    } else {
      read_fasta(file.path, counting, threads);
    }
  }
  PHPC_VALIDATE(counting.count() > 0, ErrorKind::input,
                "the genome '" + path_ + "' has no sequence (headers at most); give one with letters");
}

void GenomeSource::interrupt() const {
  for (const File& file : files_) {
    if (file.stream != nullptr) {
      file.stream->interrupt();
    }
  }
}

std::uint64_t GenomeSource::estimated_letters() const {
  std::uint64_t letters = 0;
  for (const File& file : files_) {
    letters += file.format == GenomeFormat::fasta ? file.bytes : 4 * file.bytes;
  }
  return letters;
}

}  // namespace phpc::io
