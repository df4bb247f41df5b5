#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/genomes/letter_run.hpp"
#include "io/genomes/packed_genome.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/pipeline.hpp"
#include "phpc/io/packed_genome.hpp"

namespace phpc::io {

namespace {

using packed::Kind;

[[noreturn]] void damaged(const InputFile& file, const std::string& why) {
  fail(ErrorKind::input, "'" + file.name() + "' is damaged (" + why + "); pack the genome again");
}

/// Numbers and names of the index, every read checked against its end.
class IndexCursor {
 public:
  IndexCursor(std::string_view bytes, const InputFile& file) : bytes_(bytes), file_(file) {}

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, text(sizeof value).data(), sizeof value);
    return value;
  }

  std::string_view text(std::size_t size) {
    if (size > bytes_.size()) {
      damaged(file_, "its index is too short");
    }
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  [[nodiscard]] std::size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  const InputFile& file_;
};

struct Section {
  index_t bases;
  Kind kind;
  std::uint32_t bytes;  ///< of its data
  std::uint32_t sum;
};

struct Sequence {
  std::string name;
  index_t bases;
};

struct Index {
  std::vector<Section> sections;
  std::vector<Sequence> sequences;
};

std::string read_index_bytes(const InputFile& file) {
  const std::uint64_t size = *file.size();
  char header[packed::header_bytes];
  char footer[packed::footer_bytes];
  if (size < sizeof header + sizeof footer || file.read_at(0, header) != sizeof header) {
    damaged(file, "it is too short");
  }
  std::uint32_t version = 0;
  std::memcpy(&version, header + packed::magic.size(), sizeof version);
  PHPC_VALIDATE(version == packed::version, ErrorKind::input,
                "'" + file.name() + "' is a packed genome of version " + std::to_string(version) +
                    " (this program reads version " + std::to_string(packed::version) + "); pack the genome again");
  if (file.read_at(size - sizeof footer, footer) != sizeof footer ||
      std::string_view(footer + 24, packed::magic.size()) != packed::magic) {
    damaged(file, "its end is missing");
  }
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  std::uint32_t sum = 0;
  std::memcpy(&at, footer, sizeof at);
  std::memcpy(&bytes, footer + 8, sizeof bytes);
  std::memcpy(&sum, footer + 16, sizeof sum);
  if (at < sizeof header || at > size - sizeof footer || bytes != size - sizeof footer - at) {
    damaged(file, "its index is not where it should be");
  }
  std::string index(bytes, '\0');
  if (file.read_at(at, index) != bytes || libdeflate_crc32(0, index.data(), index.size()) != sum) {
    damaged(file, "the sum of its index is wrong");
  }
  return index;
}

/// The bits of word `word` that stand for some of a section's bases: all of them but in the last word.
std::uint64_t used_bits(index_t bases, std::size_t word) {
  const index_t left = bases - static_cast<index_t>(word) * bases_per_word;
  return left >= bases_per_word ? ~std::uint64_t{0} : ~(~std::uint64_t{0} << left);
}

/// Whether a section of these bases can have so many bytes of data.
bool is_size(std::uint64_t bytes, Kind kind, index_t bases) {
  const std::uint64_t least = packed::data_bytes(kind, bases);
  return bytes == least ||
         (kind == Kind::bases && bytes > least && bytes <= 2 * least && (bytes - least) % sizeof(packed::NRun) == 0);
}

Index read_index(const InputFile& file) {
  const std::string bytes = read_index_bytes(file);
  IndexCursor cursor(bytes, file);
  const auto sections = cursor.number<std::uint64_t>();
  const auto sequences = cursor.number<std::uint64_t>();
  // Before memory is taken for them.
  if (sections > cursor.left() / packed::section_row_bytes || sequences > cursor.left() / packed::smallest_sequence_row) {
    damaged(file, "its index is too short");
  }
  Index index;
  std::uint64_t data_bytes = 0;
  for (std::uint64_t i = 0; i < sections; ++i) {
    const auto bases = index_t{cursor.number<std::uint32_t>()};
    const auto kind = cursor.number<std::uint32_t>();
    const auto section_bytes = cursor.number<std::uint32_t>();
    const auto sum = cursor.number<std::uint32_t>();
    if (bases < 1 || bases > packed::section_bases || kind > static_cast<std::uint32_t>(Kind::letters) ||
        !is_size(section_bytes, static_cast<Kind>(kind), bases)) {
      damaged(file, "its index makes no sense");
    }
    index.sections.push_back({bases, static_cast<Kind>(kind), section_bytes, sum});
    data_bytes += section_bytes;
  }
  auto section = index.sections.begin();
  for (std::uint64_t i = 0; i < sequences; ++i) {
    const auto bases = cursor.number<std::uint64_t>();
    const auto name_bytes = cursor.number<std::uint32_t>();
    index.sequences.push_back({std::string(cursor.text(name_bytes)), static_cast<index_t>(bases)});
    std::uint64_t in_sections = 0;
    while (in_sections < bases && section != index.sections.end()) {
      in_sections += static_cast<std::uint64_t>(section->bases);
      ++section;
    }
    if (in_sections != bases) {
      damaged(file, "its sections do not fit its sequences");
    }
  }
  if (section != index.sections.end() || cursor.left() != 0 ||
      packed::header_bytes + data_bytes + bytes.size() + packed::footer_bytes != *file.size()) {
    damaged(file, "its sections do not fit the file");
  }
  return index;
}

/// A run of sections on its way from the file to the consumer.
struct PackedPart {
  struct Piece {
    std::size_t sequence;
    bool begins;
    bool ends;
    Section section;  ///< no bases: an empty sequence
    std::size_t data_at;
    std::size_t first_word;
  };
  std::vector<Piece> pieces;
  bool is_wanted = true;  ///< all of it or nothing
  std::uint64_t at = 0;   ///< in the file
  std::vector<char> data;
  std::vector<BaseWord> words;
};

class PackedReader final : public Pipeline<PackedPart> {
 public:
  PackedReader(const InputFile& file, Index index, SequenceConsumer& consumer, const Wanted& wanted)
      : file_(file), index_(std::move(index)), consumer_(consumer), wanted_(wanted) {}

 private:
  bool read(PackedPart& part) override {
    part.pieces.clear();
    part.at = at_;
    std::size_t data_bytes = 0;
    std::size_t words = 0;
    part.is_wanted = next_is_wanted();
    // A long sequence's section is enough work; short ones come many at once.
    while (next_sequence_ < index_.sequences.size() && words < packed::section_bases / bases_per_word / 2 &&
           part.pieces.size() < most_pieces && next_is_wanted() == part.is_wanted) {
      const index_t whole = index_.sequences[next_sequence_].bases;
      PackedPart::Piece piece{next_sequence_, done_bases_ == 0, true, {}, data_bytes, words};
      if (done_bases_ < whole) {
        piece.section = index_.sections[next_section_++];
        done_bases_ += piece.section.bases;
        piece.ends = done_bases_ == whole;
        data_bytes += piece.section.bytes;
        words += static_cast<std::size_t>(base_words(piece.section.bases));
      }
      if (piece.ends) {
        ++next_sequence_;
        done_bases_ = 0;
      }
      part.pieces.push_back(piece);
    }
    part.data.resize(part.is_wanted ? data_bytes : 0);
    part.words.resize(part.is_wanted ? words : 0);
    at_ += data_bytes;
    return !part.pieces.empty();
  }

  /// Whether the next section is, or the next sequence where it has none.
  [[nodiscard]] bool next_is_wanted() const {
    if (!wanted_ || next_sequence_ == index_.sequences.size()) {
      return true;
    }
    const index_t bases = done_bases_ < index_.sequences[next_sequence_].bases ? index_.sections[next_section_].bases : 0;
    return wanted_(static_cast<index_t>(next_sequence_), done_bases_, done_bases_ + bases);
  }

  void work(PackedPart& part) override {
    if (!part.is_wanted) {
      return;
    }
    if (file_.read_at(part.at, part.data) != part.data.size()) {
      damaged(file_, "it became shorter while it was read");
    }
    for (const PackedPart::Piece& piece : part.pieces) {
      const char* const data = part.data.data() + piece.data_at;
      if (libdeflate_crc32(0, data, piece.section.bytes) != piece.section.sum) {
        damaged(file_, "the sum of a section of '" + index_.sequences[piece.sequence].name + "' is wrong");
      }
      unpack(piece, {data, piece.section.bytes}, part.words.data() + piece.first_word);
    }
  }

  void unpack(const PackedPart::Piece& piece, std::string_view data, BaseWord* words) const {
    const auto count = static_cast<std::size_t>(base_words(piece.section.bases));
    if (piece.section.kind == Kind::letters) {
      if (std::any_of(data.begin(), data.end(), [](char byte) { return classify(byte) != ByteClass::letter; })) {
        damaged(file_, "a section holds what are no letters");
      }
    } else if (piece.section.kind == Kind::iupac) {
      std::memcpy(words, data.data(), count * sizeof(BaseWord));
      for (std::size_t i = 0; i < count; ++i) {
        const auto [a, c, g, t] = words[i].may_be;
        if ((a | c | g | t) != used_bits(piece.section.bases, i)) {
          damaged(file_, "a section holds what are no bases");
        }
      }
    } else if (piece.section.kind == Kind::bases) {
      for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t planes[2];
        std::memcpy(planes, data.data() + i * sizeof planes, sizeof planes);
        const auto [low, high] = planes;
        words[i] = {{~(low | high), low & ~high, high & ~low, low & high}};
      }
      // Runs in order and apart cost no more than the section, however many there are.
      index_t end = 0;
      for (std::size_t at = 16 * count; at < data.size(); at += sizeof(packed::NRun)) {
        packed::NRun run{};
        std::memcpy(&run, data.data() + at, sizeof run);
        if (index_t{run.first} < end) {
          damaged(file_, "its runs of N overlap or are out of order");
        }
        end = index_t{run.first} + run.length;
        if (end > piece.section.bases) {
          damaged(file_, "a run of N reaches beyond its section");
        }
        set_n(words, run.first, end);
      }
    }
  }

  void write(PackedPart& part) override {
    for (const PackedPart::Piece& piece : part.pieces) {
      if (piece.begins) {
        consumer_.begin_sequence(index_.sequences[piece.sequence].name);
      }
      if (piece.section.bases > 0) {
        if (!part.is_wanted) {
          consumer_.skip(piece.section.bases);
        } else if (piece.section.kind == Kind::letters) {
          consumer_.letters({part.data.data() + piece.data_at, static_cast<std::size_t>(piece.section.bases)});
        } else {
          consumer_.bases(std::span(part.words).subspan(piece.first_word), piece.section.bases);
        }
      }
      if (piece.ends) {
        consumer_.end_sequence();
      }
    }
  }

  static constexpr std::size_t most_pieces = 4096;

  const InputFile& file_;
  const Index index_;
  SequenceConsumer& consumer_;
  const Wanted& wanted_;
  std::size_t next_sequence_ = 0;
  std::size_t next_section_ = 0;
  index_t done_bases_ = 0;  ///< of the next sequence, in sections already begun
  std::uint64_t at_ = packed::header_bytes;
};

}  // namespace

bool is_packed_genome(std::span<const char> first_bytes) {
  return std::string_view(first_bytes.data(), first_bytes.size()).starts_with(packed::magic);
}

void read_packed_genome(const InputFile& file, SequenceConsumer& consumer, int threads, const Wanted& wanted) {
  PHPC_VALIDATE(file.size().has_value(), ErrorKind::io,
                "cannot read a packed genome from '" + file.name() + "' (it is no regular file); give a file");
  PackedReader(file, read_index(file), consumer, wanted).run_with_workers(threads);
}

}  // namespace phpc::io
