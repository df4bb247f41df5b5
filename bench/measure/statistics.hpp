#pragma once
#include <string>
#include <vector>

namespace phpc::bench {

/// What a sample comes to; all 0 for an empty one.
struct Statistics {
  double mean = 0;
  double median = 0;
  double smallest = 0;
  double ninetieth = 0;  ///< nine tenths of the sample are not above it
  double deviation = 0;  ///< standard, with n - 1
};
Statistics statistics(std::vector<double> sample);

/// A histogram in text: a line for each of `bins` ranges between the smallest value and the 99th percentile, the last with what
/// lies beyond.
std::string text_histogram(std::vector<double> sample, int bins, const std::string& unit);

}  // namespace phpc::bench
