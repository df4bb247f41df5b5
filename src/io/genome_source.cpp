#include "phpc/io/genome_source.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "phpc/core/error.hpp"
#include "phpc/io/fasta.hpp"
#include "phpc/io/input_file.hpp"
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
  if (beginning.size() >= 2 && beginning[0] == '\x1f' && beginning[1] == '\x8b') {
    return GenomeFormat::gzip;
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

GenomeSource::File look_at(const std::string& path) {
  InputFile file(path);
  std::array<char, 4096> beginning{};
  // read_at leaves the file for whoever opens it next; what cannot be looked at so (a pipe) is taken for FASTA.
  if (!file.size().has_value()) {
    return {path, GenomeFormat::fasta, 0};
  }
  const std::size_t got = file.read_at(0, beginning);
  return {path, format_of(std::span(beginning).first(got)), *file.size()};
}

std::string why_not(GenomeFormat format) {
  switch (format) {
    case GenomeFormat::gzip:
      return "it is gzip-compressed, which is not supported; unpack it";
    case GenomeFormat::empty:
      return "it is empty";
    case GenomeFormat::foreign:
    case GenomeFormat::fasta:
    case GenomeFormat::twobit:
      break;
  }
  return "it begins neither like FASTA ('>') nor like .2bit";
}

/// Passes sequences on and counts their letters.
class CountingConsumer final : public SequenceConsumer {
 public:
  explicit CountingConsumer(SequenceConsumer& consumer) : consumer_(consumer) {}
  void begin_sequence(std::string_view name) override { consumer_.begin_sequence(name); }
  void letters(std::string_view block) override {
    count_ += block.size();
    consumer_.letters(block);
  }
  void end_sequence() override { consumer_.end_sequence(); }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  SequenceConsumer& consumer_;
  std::uint64_t count_ = 0;
};

std::vector<std::string> sorted_entries(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    paths.push_back(entry->path().string());
  }
  if (error) {
    fail_errno("cannot read the folder '" + folder + "'", error.value());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

GenomeSource::GenomeSource(const std::string& path, const std::function<void(const std::string&)>& warn) : path_(path) {
  PHPC_VALIDATE(!path.empty(), ErrorKind::input, "the genome's path is empty; give a FASTA or .2bit file or a folder of them");
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const File file = look_at(path);
    PHPC_VALIDATE(file.format == GenomeFormat::fasta || file.format == GenomeFormat::twobit, ErrorKind::input,
                  "cannot read a genome from '" + path + "' (" + why_not(file.format) + ")");
    files_.push_back(file);
    return;
  }
  for (const std::string& entry : sorted_entries(path)) {
    if (!fs::exists(entry, error)) {
      warn("skipping '" + entry + "' (a symbolic link that leads nowhere)");
    } else if (!fs::is_regular_file(entry, error)) {
      warn("skipping '" + entry + "' (it is no regular file; folders are not entered)");
    } else if (const File file = look_at(entry); file.format == GenomeFormat::fasta || file.format == GenomeFormat::twobit) {
      files_.push_back(file);
    } else {
      warn("skipping '" + entry + "' (" + why_not(file.format) + ")");
    }
  }
  PHPC_VALIDATE(!files_.empty(), ErrorKind::input,
                "there is no genome in the folder '" + path + "'; put FASTA or .2bit files there");
}

void GenomeSource::read(SequenceConsumer& consumer) const {
  CountingConsumer counting(consumer);
  for (const File& file : files_) {
    InputFile input(file.path);
    if (file.format == GenomeFormat::twobit) {
      read_twobit(input, counting);
    } else {
      read_fasta(input, counting);
    }
  }
  PHPC_VALIDATE(counting.count() > 0, ErrorKind::input,
                "the genome '" + path_ + "' has no sequence (headers at most); give FASTA or .2bit with letters");
}

std::uint64_t GenomeSource::estimated_letters() const {
  std::uint64_t letters = 0;
  for (const File& file : files_) {
    letters += file.format == GenomeFormat::twobit ? 4 * file.bytes : file.bytes;
  }
  return letters;
}

}  // namespace phpc::io
