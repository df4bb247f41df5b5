#include "cuda/memory/fill_kernel.hpp"

#include <cstdint>

#include "phpc/exec/launch.hpp"

namespace phpc::cuda {

namespace {

/// Writes one value to all words of some rows; each group takes a run of words, counted through all rows.
template <class Word>
struct FillKernel {
  static constexpr int team_size = 256;
  static constexpr index_t words_of_group = 256 * 16;
  struct Scratch {};

  Word* begin;
  index_t pitch;  ///< in words, as width is
  index_t width;
  index_t rows;
  Word value;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    const index_t first = team.league_rank() * words_of_group;
    const index_t all = width * rows;
    const index_t last = first + words_of_group < all ? first + words_of_group : all;
    for (index_t i = first + team.rank(); i < last; i += team.size()) {
      const index_t row = rows == 1 ? 0 : i / width;
      begin[row * pitch + (i - row * width)] = value;
    }
  }
};

template <class Word>
void fill_words(exec::Device device, void* begin, std::size_t pitch, std::size_t width, std::size_t rows, Word value) {
  const auto count = [](std::size_t bytes) { return static_cast<index_t>(bytes / sizeof(Word)); };
  const FillKernel<Word> kernel{static_cast<Word*>(begin), count(pitch), count(width), static_cast<index_t>(rows), value};
  exec::launch_on_gpu(device, {.groups = ceil_div(kernel.width * kernel.rows, FillKernel<Word>::words_of_group)}, kernel);
}

}  // namespace

void fill_on_gpu(exec::Device device, void* begin, std::size_t pitch, std::size_t width, std::size_t rows, unsigned char value) {
  using Word = std::uint64_t;
  const Word word = value * Word{0x0101010101010101};
  const std::size_t odd = reinterpret_cast<std::uintptr_t>(begin) | (rows == 1 ? 0 : pitch | width);
  if (odd % sizeof(Word) != 0) {
    fill_words(device, begin, pitch, width, rows, value);
    return;
  }
  const std::size_t whole = width / sizeof(Word) * sizeof(Word);
  fill_words(device, begin, pitch, whole, rows, word);
  if (whole != width) {  // of the only row
    fill_words(device, static_cast<char*>(begin) + whole, pitch, width - whole, 1, value);
  }
}

}  // namespace phpc::cuda
