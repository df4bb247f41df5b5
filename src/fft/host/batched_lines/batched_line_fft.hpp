#pragma once
#include <optional>
#include <string>

#include "fft/host/batched_lines/tile_transform.hpp"
#include "fft/host/memory/cursor.hpp"
#include "fft/host/short_lines/short_line_fft.hpp"
#include "fft/host/transforms/halves.hpp"
#include "fft/lines/line.hpp"

namespace phpc::fft {

/// Returns the length of the complex transform that does lines of this problem: n, or half of it for real lines of even length.
index_t complex_length(const LineProblem& problem);
/// Whether lines are real ones of even length, which are transformed as n/2 pairs.
bool is_halved(const LineProblem& problem);

/// Transforms lines side by side, one in each lane of a pack: for short lines, and for lines that are neighbours in memory. A
/// tile is as many lines as a pack has lanes.
template <class Real>
class BatchedLineFft {
 public:
  explicit BatchedLineFft(const LineProblem& problem);

  /// Whether its lines are those of ShortLineFft.
  static bool takes_short_lines(const LineProblem& problem);
  /// What does all of a line whose length it has; else nullptr.
  [[nodiscard]] const ShortLineFft<Real>* short_lines() const { return short_lines_ ? &*short_lines_ : nullptr; }
  [[nodiscard]] std::size_t table_bytes() const;
  [[nodiscard]] std::string describe() const;  ///< see HostLines
  [[nodiscard]] std::size_t scratch_bytes() const;
  /// Takes all lines that the cursor has left; `stores` says what would be best for the result as a whole.
  void run(LineCursor cursor, const LineOrder& order, Array<const Real> from, Array<Real> to, Stores stores,
           std::byte* scratch) const;

 private:
  using Value = PackValue<Real>;
  /// How a tile is written: by the last stage, or through scratch and from there in one piece; past the caches or not.
  enum class Output { direct, direct_streamed, packed_streamed };

  [[nodiscard]] Output output(const LineOrder& order, Array<Real> to, Stores stores) const;
  [[nodiscard]] bool are_neighbours(const TileLines<Real>& from, const TileLines<Real>& to) const;
  void load(Array<const Real> from, const TileLines<Real>& lines, Value* first, Value* second, Prefetcher& prefetcher) const;
  void store(const Value* values, Array<Real> to, const TileLines<Real>& lines, Stores stores, Prefetcher& prefetcher) const;
  void scatter_rows(const Real* rows, Array<Real> to, const TileLines<Real>& lines) const;
  void run_short_lines(LineCursor& cursor, const LineLoop& inner, Array<const Real> from, Array<Real> to, Output way,
                       Value* first, Value* second) const;
  void run_fused(Array<const Real> from, const TileLines<Real>& from_lines, Array<Real> to, const TileLines<Real>& to_lines,
                 Value* first, Value* second, Prefetcher& prefetcher) const;
  void store_packed(const Value* values, Real* packed, Array<Real> to, const TileLines<Real>& lines,
                    Prefetcher& prefetcher) const;
  void run_gathered_group(LineCursor& cursor, Array<const Real> from, Array<Real> to, Real* in, Real* out) const;

  LineProblem problem_;
  index_t length_;      ///< of the complex transform
  index_t from_count_;  ///< elements of a line
  index_t to_count_;
  index_t values_;  ///< of each of two arrays in scratch
  bool swapped_;
  /// Whether the last stage writes memory itself, an element of all lines of a tile at a time: for lines that are neighbours in
  /// memory. It depends on how lines lie and is the same for all tiles of a problem: that stage and the one that goes through
  /// scratch are compiled separately and may round differently.
  bool is_fused_ = false;
  HostTileTransform<Real> transform_;
  std::optional<HostHalves<Real>> halves_;
  std::optional<ShortLineFft<Real>> short_lines_;  ///< does the lines whose length it has
};

}  // namespace phpc::fft
