#include "cli/session/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "cli/session/messages.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::cli {

namespace {

using Clock = std::chrono::steady_clock;

class ProgressBar final : public Progress {
 public:
  ~ProgressBar() override { wipe(); }

  void begin(std::string_view stage, std::uint64_t total) override {
    stage_ = stage;
    total_ = total;
    done_ = 0;
    start_ = Clock::now();
    drawn_ = {};
  }

  void advance(std::uint64_t count) override {
    done_ += count;
    const auto now = Clock::now();
    if (now - drawn_ < std::chrono::milliseconds(100)) {
      return;
    }
    drawn_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
    if (total_ == 0) {
      draw_line(fmt::format("{} {}  {}{}/s", stage_, done_, format_decimal(rate), unit()));
    } else {
      constexpr int width = 30;
      const double part = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
      const auto filled = static_cast<std::size_t>(part * width);
      const double left = rate > 0 ? static_cast<double>(total_ - std::min(total_, done_)) / rate : 0;
      draw_line(fmt::format("{} [{}{}] {:3.0f} %  {}{}/s  {:.0f} s left", stage_, std::string(filled, '#'),
                            std::string(width - filled, '.'), 100 * part, format_decimal(rate), unit(), left));
    }
    visible_ = true;
  }

  void end() override { wipe(); }

 private:
  /// What is counted, for rates: "base" of "bases", "system" of "systems read".
  [[nodiscard]] std::string unit() const {
    std::string word = stage_.substr(0, stage_.find(' '));
    if (word.ends_with('s')) {
      word.pop_back();
    }
    return word;
  }

  void wipe() {
    if (visible_) {
      draw_line("");
      visible_ = false;
    }
  }

  std::string stage_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  Clock::time_point start_;
  Clock::time_point drawn_;
  bool visible_ = false;
};

}  // namespace

std::unique_ptr<Progress> make_progress_bar() {
  return std::make_unique<ProgressBar>();
}

}  // namespace phpc::cli
