#include "io/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace phpc::io {

namespace {

constexpr int most_ticks = 8;

/// The smallest of 1, 2, 5 times a power of ten of which fewer than `most_ticks` make up `range`.
double round_step(double range) {
  const double rough = range / (most_ticks - 1);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) {
      return factor * power;
    }
  }
  return 10 * power;
}

/// 10 with the exponent as Unicode's raised digits.
std::string power_of_ten(int exponent) {
  static constexpr std::array<const char*, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  for (const char letter : std::to_string(exponent)) {
    text += letter == '-' ? "⁻" : raised[static_cast<std::size_t>(letter - '0')];
  }
  return text;
}

std::string decade_label(int exponent) {
  return exponent >= -3 && exponent <= 4 ? fmt::format("{:g}", std::pow(10.0, exponent)) : power_of_ten(exponent);
}

std::vector<Tick> linear_ticks(double low, double high) {
  const double step = round_step(high - low);
  std::vector<Tick> ticks;
  for (double index = std::ceil(low / step - 1e-9); index * step <= high + 1e-9 * step; ++index) {
    const double value = index == 0 ? 0 : index * step;
    ticks.push_back({value, fmt::format("{:.6g}", value)});
  }
  return ticks;
}

std::vector<Tick> log_ticks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  const int decades = last - first;
  const int every = std::max(1, (decades + most_ticks - 1) / most_ticks);
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * std::pow(10.0, exponent);
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) {
        continue;
      }
      if (digit == 1) {
        ticks.push_back({value, (exponent - first) % every == 0 ? decade_label(exponent) : ""});
      } else if (decades <= 2 && (digit == 2 || digit == 5)) {
        ticks.push_back({value, fmt::format("{:g}", value)});
      } else if (decades <= 4) {
        ticks.push_back({value, ""});
      }
    }
  }
  return ticks;
}

}  // namespace

bool AxisRange::shows(double value) const {
  return std::isfinite(value) && (scale_ == AxisScale::linear || value > 0);
}

void AxisRange::include(double value) {
  low_ = empty_ ? value : std::min(low_, value);
  high_ = empty_ ? value : std::max(high_, value);
  empty_ = false;
}

void AxisRange::finish(double decades, double margin) {
  if (scale_ == AxisScale::log) {
    if (empty_ || low_ == high_) {
      low_ = empty_ ? 1 : low_ / 2;
      high_ = empty_ ? 10 : high_ * 2;
    }
    if (decades > 0) {
      low_ = std::max(low_, high_ * std::pow(10.0, -decades));
    }
    const double factor = std::pow(high_ / low_, margin);
    low_ /= factor;
    high_ *= factor;
    return;
  }
  if (empty_ || high_ - low_ <= 1e-12 * std::max(std::abs(low_), std::abs(high_))) {
    const double around = empty_ || low_ == 0 ? 1 : std::abs(low_) / 2;
    low_ -= around;
    high_ += around;
  }
  const double more = margin * (high_ - low_);
  low_ -= more;
  high_ += more;
}

double AxisRange::place(double value) const {
  if (scale_ == AxisScale::log) {
    return std::log(value / low_) / std::log(high_ / low_);
  }
  return (value - low_) / (high_ - low_);
}

std::vector<Tick> AxisRange::ticks() const {
  return scale_ == AxisScale::log ? log_ticks(low_, high_) : linear_ticks(low_, high_);
}

}  // namespace phpc::io
