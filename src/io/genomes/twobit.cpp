#include "phpc/io/twobit.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "phpc/core/error.hpp"
#include "phpc/core/pipeline.hpp"

namespace phpc::io {

namespace {

constexpr std::uint32_t signature = 0x1A412743;

/// Bases [start, end) of a sequence.
struct Block {
  std::uint64_t start;
  std::uint64_t end;
};

struct IndexEntry {
  std::string name;
  std::uint64_t offset;
};

/// Bits 0, 2, 4, ... of a number, together.
std::uint64_t even_bits(std::uint64_t bits) {
  bits &= 0x5555555555555555U;
  bits = (bits | bits >> 1) & 0x3333333333333333U;
  bits = (bits | bits >> 2) & 0x0f0f0f0f0f0f0f0fU;
  bits = (bits | bits >> 4) & 0x00ff00ff00ff00ffU;
  bits = (bits | bits >> 8) & 0x0000ffff0000ffffU;
  return (bits | bits >> 16) & 0x00000000ffffffffU;
}

/// 32 bases of 8 bytes, the first base in the lowest two bits instead of the highest of the first byte.
std::uint64_t first_base_lowest(const char* packed) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, packed, sizeof bits);
  bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0fU) | (bits & 0x0f0f0f0f0f0f0f0fU) << 4;
  return (bits >> 2 & 0x3333333333333333U) | (bits & 0x3333333333333333U) << 2;
}

/// 64 bases of 16 bytes; T C A G are 0 1 2 3.
BaseWord word_of(const char* packed) {
  const std::uint64_t early = first_base_lowest(packed);
  const std::uint64_t late = first_base_lowest(packed + 8);
  const std::uint64_t low = even_bits(early) | even_bits(late) << 32;
  const std::uint64_t high = even_bits(early >> 1) | even_bits(late >> 1) << 32;
  return {{high & ~low, low & ~high, high & low, ~(high | low)}};
}

/// Reads numbers and bytes from one place onwards, every read checked against the file's end.
class TwobitCursor {
 public:
  TwobitCursor(const InputFile& file, std::uint64_t offset, bool swapped) : file_(file), at_(offset), swapped_(swapped) {}

  [[noreturn]] void malformed(const std::string& problem) const {
    fail(ErrorKind::input, file_.name() + ": " + problem + "; is the .2bit file whole?");
  }

  void bytes(std::span<char> out, const std::string& what) {
    require(out.size(), what);  // the system refuses offsets beyond 2^63 with a message of its own
    if (file_.read_at(at_, out) != out.size()) {
      malformed("the file ends within " + what);
    }
    at_ += out.size();
  }

  std::uint32_t number(const std::string& what) {
    std::uint32_t value = 0;
    bytes({reinterpret_cast<char*>(&value), sizeof value}, what);
    return swapped_ ? __builtin_bswap32(value) : value;
  }

  std::uint64_t long_number(const std::string& what) {
    std::uint64_t value = 0;
    bytes({reinterpret_cast<char*>(&value), sizeof value}, what);
    return swapped_ ? __builtin_bswap64(value) : value;
  }

  /// `count` numbers; the count is checked against the file before memory is taken for it.
  std::vector<std::uint32_t> numbers(std::uint64_t count, const std::string& what) {
    require(4 * count, what);
    std::vector<std::uint32_t> values(count);
    bytes({reinterpret_cast<char*>(values.data()), 4 * count}, what);
    if (swapped_) {
      for (std::uint32_t& value : values) {
        value = __builtin_bswap32(value);
      }
    }
    return values;
  }

  /// Throws unless the file has `count` more bytes.
  void require(std::uint64_t count, const std::string& what) const {
    if (at_ > *file_.size() || count > *file_.size() - at_) {
      malformed("the file ends within " + what);
    }
  }

  void skip(std::uint64_t count, const std::string& what) {
    require(count, what);
    at_ += count;
  }

  [[nodiscard]] std::uint64_t at() const { return at_; }

 private:
  const InputFile& file_;
  std::uint64_t at_;
  bool swapped_;
};

/// The blocks in order and apart, those that overlap or touch as one: a part of a sequence then costs no more than its bases,
/// however many blocks a file has.
std::vector<Block> read_blocks(TwobitCursor& cursor, std::uint32_t bases, const std::string& what) {
  const std::uint32_t count = cursor.number(what);
  const std::vector<std::uint32_t> starts = cursor.numbers(count, what);
  const std::vector<std::uint32_t> sizes = cursor.numbers(count, what);
  std::vector<Block> blocks;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t end = std::uint64_t{starts[i]} + sizes[i];
    if (end > bases) {
      cursor.malformed(what + " reach beyond the sequence");
    }
    if (sizes[i] > 0) {
      blocks.push_back({starts[i], end});
    }
  }
  std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.start < b.start; });
  std::vector<Block> apart;
  for (const Block& block : blocks) {
    if (!apart.empty() && block.start <= apart.back().end) {
      apart.back().end = std::max(apart.back().end, block.end);
    } else {
      apart.push_back(block);
    }
  }
  return apart;
}

/// A part of a sequence on its way from the file to the consumer.
struct TwobitPart {
  std::string name;
  bool begins = false;  ///< it is the sequence's first part
  bool ends = false;
  bool is_wanted = true;
  std::uint64_t first = 0;  ///< base of the sequence
  std::uint64_t count = 0;  ///< bases
  std::uint64_t at = 0;     ///< in the file
  std::shared_ptr<const std::vector<Block>> n_blocks;
  std::vector<char> packed;
  std::vector<BaseWord> words;
};

class TwobitReader final : public Pipeline<TwobitPart> {
 public:
  TwobitReader(const InputFile& file, std::vector<IndexEntry> index, bool swapped, SequenceConsumer& consumer,
               const Wanted& wanted)
      : file_(file), index_(std::move(index)), consumer_(consumer), wanted_(wanted), swapped_(swapped) {}

 private:
  static constexpr std::uint64_t bases_at_once = std::uint64_t{1} << 20;

  bool read(TwobitPart& part) override {
    part.begins = left_ == 0;
    if (part.begins) {
      if (next_ == index_.size()) {
        return false;
      }
      open_sequence();
    }
    part.name = index_[next_ - 1].name;
    part.n_blocks = n_blocks_;
    part.first = bases_ - left_;
    part.at = packed_at_ + part.first / 4;
    part.count = std::min(left_, bases_at_once);
    part.is_wanted = !wanted_ || wanted_(static_cast<index_t>(next_ - 1), static_cast<index_t>(part.first),
                                         static_cast<index_t>(part.first + part.count));
    left_ -= part.count;
    part.ends = left_ == 0;
    return true;
  }

  /// Reads what comes before the bases of the next sequence.
  void open_sequence() {
    const IndexEntry& entry = index_[next_++];
    const std::string what = "sequence '" + entry.name + "'";
    TwobitCursor cursor(file_, entry.offset, swapped_);
    const std::uint32_t bases = cursor.number(what);
    n_blocks_ = std::make_shared<const std::vector<Block>>(read_blocks(cursor, bases, "the N blocks of " + what));
    const std::uint32_t masks = cursor.number(what);
    cursor.skip(std::uint64_t{masks} * 8 + 4, what);  // starts and sizes of the soft mask, and a reserved word
    const std::uint64_t packed_bytes = (std::uint64_t{bases} + 3) / 4;
    cursor.require(packed_bytes, what);
    packed_at_ = cursor.at();
    // Without this a small file whose entries all name one sequence would be a genome without end.
    taken_bytes_ += packed_at_ + packed_bytes - entry.offset;
    if (taken_bytes_ > *file_.size()) {
      cursor.malformed("sequences overlap in the index");
    }
    bases_ = bases;
    left_ = bases;
  }

  void work(TwobitPart& part) override {
    if (!part.is_wanted) {
      return;
    }
    const auto words = static_cast<std::size_t>(base_words(static_cast<index_t>(part.count)));
    const std::size_t bytes = (part.count + 3) / 4;
    part.packed.resize(16 * words);
    part.words.resize(words);
    TwobitCursor(file_, part.at, swapped_).bytes(std::span(part.packed).first(bytes), "sequence '" + part.name + "'");
    for (std::size_t word = 0; word < words; ++word) {
      part.words[word] = word_of(part.packed.data() + 16 * word);
    }
    const std::vector<Block>& blocks = *part.n_blocks;
    auto block = std::partition_point(blocks.begin(), blocks.end(), [&](const Block& one) { return one.end <= part.first; });
    for (; block != blocks.end() && block->start < part.first + part.count; ++block) {
      const std::uint64_t end = std::min(block->end, part.first + part.count);
      set_n(part.words.data(), static_cast<index_t>(std::max(block->start, part.first) - part.first),
            static_cast<index_t>(end - part.first));
    }
  }

  void write(TwobitPart& part) override {
    if (part.begins) {
      consumer_.begin_sequence(part.name);
    }
    if (!part.is_wanted) {
      consumer_.skip(static_cast<index_t>(part.count));
    } else if (part.count > 0) {
      consumer_.bases(part.words, static_cast<index_t>(part.count));
    }
    if (part.ends) {
      consumer_.end_sequence();
    }
  }

  const InputFile& file_;
  const std::vector<IndexEntry> index_;
  SequenceConsumer& consumer_;
  const Wanted& wanted_;
  std::shared_ptr<const std::vector<Block>> n_blocks_;
  std::size_t next_ = 0;           ///< entry of the index to open
  std::uint64_t bases_ = 0;        ///< of the open sequence
  std::uint64_t left_ = 0;         ///< of them, not yet begun
  std::uint64_t packed_at_ = 0;    ///< in the file
  std::uint64_t taken_bytes_ = 0;  ///< of all sequences until now
  const bool swapped_;
};

}  // namespace

bool is_twobit(std::span<const char> first_bytes) {
  std::uint32_t value = 0;
  if (first_bytes.size() < sizeof value) {
    return false;
  }
  std::memcpy(&value, first_bytes.data(), sizeof value);
  return value == signature || value == __builtin_bswap32(signature);
}

void read_twobit(const InputFile& file, SequenceConsumer& consumer, int threads, const Wanted& wanted) {
  PHPC_VALIDATE(file.size().has_value(), ErrorKind::io,
                "cannot read .2bit from '" + file.name() + "' (it is no regular file, and .2bit needs seeking); give a file");
  TwobitCursor probe(file, 0, false);
  const bool swapped = probe.number("the header") != signature;
  TwobitCursor cursor(file, 4, swapped);
  const std::uint32_t version = cursor.number("the header");
  if (version > 1) {
    cursor.malformed("version " + std::to_string(version) + " of .2bit is not known");
  }
  const std::uint32_t count = cursor.number("the header");
  cursor.skip(4, "the header");
  // One entry takes at least 5 bytes: a count that the file cannot hold is refused before memory is taken for it.
  cursor.require(std::uint64_t{count} * 5, "the index");
  std::vector<IndexEntry> index(count);
  for (IndexEntry& entry : index) {
    char length = 0;
    cursor.bytes({&length, 1}, "the index");
    entry.name.resize(static_cast<unsigned char>(length));
    cursor.bytes(entry.name, "the index");
    entry.offset = version == 0 ? cursor.number("the index") : cursor.long_number("the index");
  }
  TwobitReader(file, std::move(index), swapped, consumer, wanted).run_with_workers(threads);
}

}  // namespace phpc::io
