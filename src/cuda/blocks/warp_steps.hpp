#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <climits>

namespace phpc::cuda::detail {

/// Which lanes of a warp run next where its threads go in step: a lane that comes to a step waits until all lanes at smaller
/// positions have gone on. So lanes that have parted meet again where their ways do, as in SIMT hardware whose scheduler takes
/// the lanes with the least program counter. Lanes are bits of a mask.
class WarpSteps {
 public:
  /// Forgets the lanes of an earlier block.
  void reset() {
    repeats_.fill(0);
    places_.fill({nullptr, nullptr});
    spinning_ = 0;
    starved_ = 0;
    most_starved_ = most_starved;
  }

  /// Notes that a lane has come to the step at `position`. place: what memory it will read, where it may wait for what is
  /// written there; else null.
  void note(int lane, unsigned position, const void* place) {
    const auto number = static_cast<std::size_t>(lane);
    std::array<const void*, 2>& known = places_[number];
    positions_[number] = position;
    if (place != nullptr && (place == known[0] || place == known[1])) {
      if (++repeats_[number] >= most_repeats) {
        spinning_ |= 1U << lane;
      }
      return;
    }
    known = {place, known[0]};
    repeats_[number] = 0;
    spinning_ &= ~(1U << lane);
  }

  [[nodiscard]] bool spins(int lane) const { return (spinning_ >> lane & 1U) != 0; }

  /// Whether all of `lanes` do nothing but read the same places again and again, as those do that wait for others.
  [[nodiscard]] bool all_spin(unsigned lanes) const { return (lanes & ~spinning_) == 0; }

  /// Those of the lanes `stepped` (not 0), which wait in steps, that run next, each until its next step: those at the least
  /// position. 0: other warps should run first.
  [[nodiscard]] unsigned next(unsigned stepped) {
    const unsigned running = stepped & ~spinning_;
    if (running == 0) {
      has_rested_ = !has_rested_;
      return has_rested_ ? 0 : stepped;
    }
    if (++rounds_ % rounds_between_rests == 0) {
      return 0;
    }
    unsigned least = UINT_MAX;
    unsigned chosen = 0;
    for (unsigned left = running; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const unsigned position = positions_[static_cast<std::size_t>(lane)];
      chosen = position < least ? 0 : chosen;
      least = position < least ? position : least;
      chosen |= position == least ? 1U << lane : 0;
    }
    if (chosen == running) {
      starved_ = 0;
      most_starved_ = most_starved;
    } else if (++starved_ >= most_starved_) {
      starved_ = 0;
      most_starved_ = std::max(most_starved_ / 2, least_starved);
      return stepped;
    }
    return rounds_ % rounds_between_looks == 0 ? chosen | (stepped & spinning_) : chosen;
  }

 private:
  /// Reads of the same one or two places, with no write between them, after which a lane is taken to wait for others.
  static constexpr unsigned most_repeats = 1024;
  /// Rounds after which lanes that are taken to wait look again what they wait for.
  static constexpr unsigned rounds_between_looks = 64;
  /// Rounds that lanes at a greater position wait for others, which might wait for them in a way that is not known here. From one
  /// time to the next that they have waited that long it falls by half, since lanes may wait for many steps of another.
  static constexpr unsigned most_starved = 1U << 20;
  static constexpr unsigned least_starved = 64;
  static constexpr unsigned rounds_between_rests = 1U << 16;

  std::array<unsigned, 32> positions_{};
  std::array<unsigned, 32> repeats_{};
  std::array<std::array<const void*, 2>, 32> places_{};  ///< that each lane read last
  unsigned spinning_ = 0;
  unsigned rounds_ = 0;
  unsigned starved_ = 0;  ///< rounds since those at the least position were all, or since others have gone on
  unsigned most_starved_ = most_starved;
  bool has_rested_ = false;
};

}  // namespace phpc::cuda::detail
