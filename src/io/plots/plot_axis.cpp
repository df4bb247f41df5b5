#include "io/plots/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace phpc::io {

namespace {

constexpr double slack = 1e-9;      // of a step: what rounding moves a tick by
constexpr double farthest = 1e300;  // what lies farther from 0 or, on logarithmic axes, nearer, leaves no range for double
constexpr double nearest = 1e-300;
constexpr int most_grid_lines = 24;  // powers between which lines without numbers still have room

/// The smallest of 1, 2, 5 times a power of ten of which at most `most` ticks lie in `range`.
double round_step(double range, int most) {
  const double rough = range / std::max(1, most - 1);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - slack)) {
      return factor * power;
    }
  }
  return 10 * power;
}

/// Whole steps between powers.
int whole_step(int range, int most) {
  const auto step = static_cast<int>(std::lround(std::max(1.0, round_step(range, most))));
  return range / step + 1 > most ? step + 1 : step;
}

/// Digits as Unicode's raised ones.
std::string raised(int number) {
  static constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char letter : std::to_string(number)) {
    text += letter == '-' ? "⁻" : digits[static_cast<std::size_t>(letter - '0')];
  }
  return text;
}

std::string with_minus_sign(std::string number) {
  return number.starts_with('-') ? "−" + number.substr(1) : number;
}

/// How the numbers of one axis are written: all with the same decimals, and the same power of ten where they are large or small.
class NumberForm {
 public:
  NumberForm(double largest, double step) {
    const int magnitude = static_cast<int>(std::floor(std::log10(std::max(largest, step)) + slack));
    exponent_ = magnitude >= 6 || magnitude < -3 ? magnitude : 0;
    decimals_ = std::clamp(exponent_ - static_cast<int>(std::floor(std::log10(step) + slack)), 0, 17);
  }

  [[nodiscard]] std::string operator()(double value) const {
    if (value == 0) {
      return "0";
    }
    const std::string digits = with_minus_sign(fmt::format("{:.{}f}", value / std::pow(10.0, exponent_), decimals_));
    return exponent_ == 0 ? digits : digits + "×10" + raised(exponent_);
  }

 private:
  int exponent_;
  int decimals_;
};

int labels_of(const std::vector<Tick>& ticks) {
  return static_cast<int>(std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.empty(); }));
}

}  // namespace

double AxisRange::to_scale(double value) const {
  return scale_ == AxisScale::linear ? value : scale_ == AxisScale::log ? std::log10(value) : std::log2(value);
}

double AxisRange::from_scale(double place) const {
  return scale_ == AxisScale::linear ? place : scale_ == AxisScale::log ? std::pow(10.0, place) : std::exp2(place);
}

bool AxisRange::shows(double value) const {
  return std::abs(value) <= farthest && (scale_ == AxisScale::linear || value >= nearest);
}

void AxisRange::include(double value) {
  const double place = to_scale(value);
  low_ = empty_ ? place : std::min(low_, place);
  high_ = empty_ ? place : std::max(high_, place);
  empty_ = false;
}

void AxisRange::finish(double margin_below, double margin_above) {
  if (empty_) {
    low_ = 0;
    high_ = 1;
  }
  const bool is_cut = shows(floor_) && to_scale(floor_) > low_;
  if (is_cut) {
    low_ = std::min(to_scale(floor_), high_);
  }
  const bool is_linear = scale_ == AxisScale::linear;
  const double largest = std::max(std::abs(low_), std::abs(high_));
  if (high_ - low_ <= std::max(nearest, 1e-12 * (is_linear ? largest : 1))) {
    const double around = is_linear ? std::max(is_whole_ || largest < nearest ? 1.0 : 0.0, largest / 10) : to_scale(2);
    low_ -= around;
    high_ += around;
  }
  const double range = high_ - low_;
  low_ -= is_cut ? 0 : margin_below * range;
  high_ += margin_above * range;
}

double AxisRange::place(double value) const {
  return (to_scale(value) - low_) / (high_ - low_);
}

std::vector<Tick> AxisRange::linear_ticks(int most) const {
  const double low = low_;
  const double high = high_;
  const double round = round_step(high - low, most);
  const double step = is_whole_ ? std::max(1.0, round) : round;
  const NumberForm form(std::max(std::abs(low), std::abs(high)), step);
  std::vector<Tick> ticks;
  for (double index = std::ceil(low / step - slack); index * step <= high + slack * step; ++index) {
    ticks.push_back({index * step, form(index * step)});
  }
  return ticks;
}

std::vector<Tick> AxisRange::log_ticks(int most) const {
  const int first = static_cast<int>(std::floor(low_ + slack));
  const int last = static_cast<int>(std::ceil(high_ - slack));
  const int every = whole_step(static_cast<int>(std::floor(high_ + slack) - std::ceil(low_ - slack)), most);
  const bool is_plain = first >= -3 && last <= 5;
  const auto label = [&](int digit, int exponent) {
    return is_plain ? fmt::format("{:g}", digit * std::pow(10.0, exponent))
                    : (digit == 1 ? "10" : fmt::format("{}×10", digit)) + raised(exponent);
  };
  constexpr int few = 3;      // decades, of which 2 and 5 have labels too
  constexpr int several = 6;  // decades, between which lines show the scale
  const bool labels_between = high_ - low_ <= few && 3 * (high_ - low_) <= most;
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int digit = 1; digit <= (high_ - low_ <= several ? 9 : 1); ++digit) {
      const double place = exponent + std::log10(digit);
      if (place < low_ - slack || place > high_ + slack) {
        continue;
      }
      const bool is_labelled = digit == 1 ? exponent % every == 0 : labels_between && (digit == 2 || digit == 5);
      if (is_labelled || last - first <= most_grid_lines) {
        ticks.push_back({from_scale(place), is_labelled ? label(digit, exponent) : ""});
      }
    }
  }
  return ticks;
}

std::vector<Tick> AxisRange::log2_ticks(int most) const {
  const int first = static_cast<int>(std::ceil(low_ - slack));
  const int last = static_cast<int>(std::floor(high_ + slack));
  const int every = whole_step(last - first, most);
  const bool is_plain = first >= -2 && last <= 16;
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; ++exponent) {
    const bool is_labelled = exponent % every == 0;
    const std::string label = is_plain ? fmt::format("{:g}", std::exp2(exponent)) : "2" + raised(exponent);
    if (is_labelled || last - first <= most_grid_lines) {
      ticks.push_back({std::exp2(exponent), is_labelled ? label : ""});
    }
  }
  return ticks;
}

std::vector<Tick> AxisRange::ticks(int most) const {
  if (scale_ == AxisScale::linear) {
    return linear_ticks(most);
  }
  std::vector<Tick> ticks = scale_ == AxisScale::log ? log_ticks(most) : log2_ticks(most);
  if (labels_of(ticks) >= 2) {
    return ticks;
  }
  // Less than a decade or an octave: round numbers tell more than powers do.
  AxisRange narrow = *this;
  narrow.scale_ = AxisScale::linear;
  narrow.low_ = low();
  narrow.high_ = high();
  return narrow.linear_ticks(most);
}

}  // namespace phpc::io
