#pragma once
#include <optional>
#include <string>

#include "fft/host/batched_lines/tile_transform.hpp"
#include "fft/host/memory/cursor.hpp"
#include "fft/host/small_pow2/small_pow2_fft.hpp"
#include "fft/host/transforms/halves.hpp"
#include "fft/lines/line.hpp"

namespace phpc::fft {

/// Elements of a complex transform that does lines of this problem: n, or half of it for real lines of even length.
index_t complex_length(const LineProblem& problem);
/// True for real lines of even length.
bool is_halved(const LineProblem& problem);

/// Lines side by side, one in each lane of a pack: for short ones, and for those whose neighbours are each other in memory.
template <class Real>
class BatchedLineFft {
 public:
  explicit BatchedLineFft(const LineProblem& problem);

  /// Whether its lines are those of SmallPow2Fft.
  static bool takes_small_pow2(const LineProblem& problem);
  [[nodiscard]] std::size_t table_bytes() const;
  [[nodiscard]] std::string describe() const;  ///< see HostLines
  [[nodiscard]] std::size_t scratch_bytes() const;
  /// Takes all lines that the cursor has left; `stores` says what would be best for the result as a whole.
  void run(LineCursor cursor, const LineOrder& order, Array<const Real> from, Array<Real> to, Stores stores,
           std::byte* scratch) const;

 private:
  using Value = PackValue<Real>;
  /// A tile's way into memory: straight, or through scratch and from there in one piece.
  enum class Output { direct, direct_streamed, packed_streamed };

  [[nodiscard]] Output output(const LineOrder& order, Array<Real> to, Stores stores) const;
  [[nodiscard]] bool are_neighbours(const TileLines<Real>& from, const TileLines<Real>& to) const;
  void load(Array<const Real> from, const TileLines<Real>& lines, Value* first, Value* second, Prefetcher& prefetcher) const;
  void store(const Value* values, Array<Real> to, const TileLines<Real>& lines, Stores stores, Prefetcher& prefetcher) const;
  void scatter_rows(const Real* rows, Array<Real> to, const TileLines<Real>& lines) const;
  void run_gathered_group(LineCursor& cursor, Array<const Real> from, Array<Real> to, Real* in, Real* out) const;

  LineProblem problem_;
  index_t length_;      ///< of the complex transform
  index_t from_count_;  ///< elements of a line
  index_t to_count_;
  index_t values_;  ///< of each of two arrays in scratch
  bool swapped_;
  /// Whether the last stage writes rows of elements, for lines that are neighbours in memory. By how lines lie, not tile by tile:
  /// compiled apart, the ways to store round differently.
  bool is_fused_ = false;
  HostTileTransform<Real> transform_;
  std::optional<HostHalves<Real>> halves_;
  std::optional<SmallPow2Fft<Real>> small_pow2_;  ///< what does the lines that it can
};

}  // namespace phpc::fft
