#pragma once
#include <string>
#include <vector>

#include "jobs/fft/spectrum.hpp"
#include "phpc/io/svg_plot.hpp"

namespace phpc::jobs {

/// The spectra of one file as a plot: of the first transforms a curve each, in dB, the highest peaks named by their frequencies.
/// Memory does not grow with the points: beyond 65536 of a curve, neighbours are put together, of which the first, lowest,
/// highest and last are kept.
class SpectrumPlot {
 public:
  struct Description {
    std::string title;
    std::string each;      ///< what one transform is of, as in "channel"
    index_t points = 1;    ///< of one curve
    double spacing = 1;    ///< between frequencies
    bool has_unit = true;  ///< frequencies are in Hz, else in cycles per sample
    std::string label;     ///< of the levels
    std::string level_unit = "dB";
    double depth = 0;  ///< dB below the highest level, where rounding is all there is
  };
  explicit SpectrumPlot(Description description) : description_(std::move(description)) {}

  /// Each transform's points in ascending order.
  void add(index_t transform, const SpectrumPoint& point);
  /// The transforms for which there is no curve.
  [[nodiscard]] index_t left_out() const { return transforms_ - static_cast<index_t>(curves_.size()); }
  [[nodiscard]] io::Plot plot() &&;

 private:
  struct Sample {
    index_t place = 0;
    double frequency = 0;
    double level = 0;
  };
  struct Curve {
    std::vector<Sample> kept{};
    index_t points = 0;
    // Of the points that are put together at the moment:
    index_t group = -1;
    Sample first{};
    Sample lowest{};
    Sample highest{};
    Sample last{};
  };

  static void close_group(Curve& curve);
  [[nodiscard]] std::vector<io::PlotNote> notes() const;

  Description description_;
  std::vector<Curve> curves_;
  index_t transforms_ = 0;
};

/// Indices of the local maxima of a curve that stand out of it, the highest first: by 12 dB on both sides, by 20 dB out of its
/// median, and no more than 80 dB below the highest. Levels that are not finite are lower than all.
std::vector<std::size_t> peaks_of(const std::vector<double>& levels);

}  // namespace phpc::jobs
