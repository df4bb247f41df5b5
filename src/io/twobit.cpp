#include "phpc/io/twobit.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr std::uint32_t signature = 0x1A412743;

struct Block {
  std::uint64_t start;
  std::uint64_t size;
};

struct IndexEntry {
  std::string name;
  std::uint64_t offset;
};

/// The four letters of each packed byte; the first base is in the highest bits, and T C A G are 0 1 2 3.
const std::array<std::array<char, 4>, 256>& letters_of_bytes() {
  static const auto table = [] {
    std::array<std::array<char, 4>, 256> letters{};
    for (unsigned byte = 0; byte < 256; ++byte) {
      for (unsigned i = 0; i < 4; ++i) {
        letters[byte][i] = "TCAG"[(byte >> (6 - 2 * i)) & 3];
      }
    }
    return letters;
  }();
  return table;
}

/// Reads numbers and bytes from one place onwards, every read checked against the file's end.
class TwobitCursor {
 public:
  TwobitCursor(const InputFile& file, std::uint64_t offset, bool swapped) : file_(file), at_(offset), swapped_(swapped) {}

  [[noreturn]] void malformed(const std::string& problem) const {
    fail(ErrorKind::input, file_.name() + ": " + problem + "; is the .2bit file whole?");
  }

  void bytes(std::span<char> out, const std::string& what) {
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

 private:
  const InputFile& file_;
  std::uint64_t at_;
  bool swapped_;
};

std::vector<Block> read_blocks(TwobitCursor& cursor, std::uint32_t bases, const std::string& what) {
  const std::uint32_t count = cursor.number(what);
  const std::vector<std::uint32_t> starts = cursor.numbers(count, what);
  const std::vector<std::uint32_t> sizes = cursor.numbers(count, what);
  std::vector<Block> blocks;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (std::uint64_t{starts[i]} + sizes[i] > bases) {
      cursor.malformed(what + " reach beyond the sequence");
    }
    blocks.push_back({starts[i], sizes[i]});
  }
  std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.start < b.start; });
  return blocks;
}

void read_sequence(TwobitCursor cursor, const IndexEntry& entry, SequenceConsumer& consumer) {
  const std::string what = "sequence '" + entry.name + "'";
  const std::uint32_t bases = cursor.number(what);
  const std::vector<Block> n_blocks = read_blocks(cursor, bases, "the N blocks of " + what);
  const std::uint32_t masks = cursor.number(what);
  cursor.skip(std::uint64_t{masks} * 8 + 4, what);  // starts and sizes of the soft mask, and a reserved word
  cursor.require((std::uint64_t{bases} + 3) / 4, what);

  consumer.begin_sequence(entry.name);
  constexpr std::uint64_t bases_at_once = std::uint64_t{1} << 20;
  std::vector<char> packed(bases_at_once / 4);
  std::vector<char> letters(bases_at_once);
  const auto& table = letters_of_bytes();
  auto n_block = n_blocks.begin();
  for (std::uint64_t first = 0; first < bases; first += bases_at_once) {
    const std::uint64_t count = std::min<std::uint64_t>(bases_at_once, bases - first);
    const std::size_t bytes = (count + 3) / 4;
    cursor.bytes(std::span(packed).first(bytes), what);
    for (std::size_t i = 0; i < bytes; ++i) {
      std::memcpy(letters.data() + 4 * i, table[static_cast<unsigned char>(packed[i])].data(), 4);
    }
    while (n_block != n_blocks.end() && n_block->start < first + count) {
      const std::uint64_t from = std::max(n_block->start, first) - first;
      const std::uint64_t end = n_block->start + n_block->size;
      if (end > first) {
        std::fill(letters.begin() + static_cast<std::ptrdiff_t>(from),
                  letters.begin() + static_cast<std::ptrdiff_t>(std::min(end - first, count)), 'N');
      }
      if (end > first + count) {
        break;  // goes on in the next part
      }
      ++n_block;
    }
    consumer.letters({letters.data(), static_cast<std::size_t>(count)});
  }
  consumer.end_sequence();
}

}  // namespace

bool is_twobit(std::span<const char> first_bytes) {
  std::uint32_t value = 0;
  if (first_bytes.size() < sizeof value) {
    return false;
  }
  std::memcpy(&value, first_bytes.data(), sizeof value);
  return value == signature || value == __builtin_bswap32(signature);
}

void read_twobit(const InputFile& file, SequenceConsumer& consumer) {
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
  for (const IndexEntry& entry : index) {
    read_sequence(TwobitCursor(file, entry.offset, swapped), entry, consumer);
  }
}

}  // namespace phpc::io
