#pragma once
#include <cstdint>
#include <utility>

#include "phpc/core/types.hpp"

/// What the host decides of the general kernel's work and the kernel reads: stages, and tables of butterflies.
namespace phpc::fft {

/// The radices of the general kernel's stages.
using GeneralRadices = std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                             24, 25, 26, 27, 28, 29, 30, 31, 32>;

/// Primes whose results would not find room in registers beside their elements.
constexpr bool is_large_prime(int radix) {
  return radix == 17 || radix == 19 || radix == 23 || radix == 29 || radix == 31;
}

/// The most stages that a transform has whose tile fits into any GPU's scratch.
inline constexpr int most_general_stages = 6;

/// Lines of an odd number of real numbers that a transform comes from or goes to. The results of the first stage, or the elements
/// of the last one, are conjugate pairs: of a butterfly of radix R, scratch holds the first (R + 1) / 2, and all other stages
/// have so much less to do.
enum class OddReals : std::uint8_t { none, from, to };

/// A butterfly of a tile: the place of its first element in scratch, its twiddles, and its first element in memory.
struct GeneralItem {
  std::uint16_t place;
  std::uint16_t twiddle;
  std::uint32_t offset;
};

/// Of a GeneralItem's offset, where pairs of a line of an odd number of real numbers have the number of their element: scratch
/// holds the element's conjugate.
inline constexpr std::uint32_t conjugate_item = 1U << 15;

/// Of an element that hooks see: its position in the line, from that of the tile on, and the number of its transform in the tile,
/// times 2^16, and its own.
struct GeneralElement {
  std::uint32_t position;
  std::uint32_t number;
};

/// A stage in two words, which a kernel holds among its arguments: butterflies of one transform, the distance between the
/// elements of one in scratch, twiddles of one power (0: none), and where its items and twiddles begin in their tables.
class GeneralStage {
 public:
  GeneralStage() = default;
  constexpr GeneralStage(unsigned radix, unsigned items, unsigned step, unsigned stride, std::uint32_t table,
                         std::uint32_t twiddles)
      : shape_(radix | std::uint64_t{items} << 8 | std::uint64_t{step} << 24 | std::uint64_t{stride} << 40),
        tables_(table | std::uint64_t{twiddles} << 32) {}

  [[nodiscard, gnu::always_inline]] constexpr int radix() const { return static_cast<int>(shape_ & 0xff); }
  [[nodiscard, gnu::always_inline]] constexpr unsigned items() const { return static_cast<unsigned>(shape_ >> 8 & 0xffff); }
  [[nodiscard, gnu::always_inline]] constexpr unsigned step() const { return static_cast<unsigned>(shape_ >> 24 & 0xffff); }
  [[nodiscard, gnu::always_inline]] constexpr unsigned stride() const { return static_cast<unsigned>(shape_ >> 40 & 0xffff); }
  [[nodiscard, gnu::always_inline]] constexpr unsigned table() const { return static_cast<unsigned>(tables_); }
  [[nodiscard, gnu::always_inline]] constexpr unsigned twiddles() const { return static_cast<unsigned>(tables_ >> 32); }

  /// The same stage, which the compiler of GPU code cannot know to be the same in each iteration of a loop: two words are held
  /// across iterations then, where it would otherwise take them apart before, and the distances of all elements of a butterfly
  /// too.
  [[nodiscard, gnu::always_inline]] GeneralStage known_now() const {
    GeneralStage same = *this;
#if defined(__NVPTX__)
    asm volatile("mov.b64 %0, %1;" : "=l"(same.shape_) : "l"(shape_));
    asm volatile("mov.b64 %0, %1;" : "=l"(same.tables_) : "l"(tables_));
#endif
    return same;
  }

 private:
  std::uint64_t shape_ = 0;
  std::uint64_t tables_ = 0;
};

/// What the general kernel does with a tile of `width` transforms, which lie `pitch` places apart in scratch. Tables lie in the
/// memory of the device.
template <class Real>
struct GeneralWork {
  const Complex<Real>* twiddles = nullptr;
  const GeneralItem* items = nullptr;
  /// Of each element of a tile the place in scratch: where it is loaded to, then where it is stored from. Only of passes that go
  /// through scratch in order.
  const std::uint16_t* places = nullptr;
  std::uint16_t length = 1;
  std::uint16_t width = 1;
  std::uint16_t pitch = 1;
  std::uint16_t read_step = 0;   ///< between the elements of a butterfly of the first stage in memory
  std::uint16_t write_step = 0;  ///< the same of the last stage
  std::uint8_t stage_count = 0;
  bool is_in_order = false;  ///< memory is read and written in order, without butterflies
  GeneralStage stages[most_general_stages]{};
};

}  // namespace phpc::fft
