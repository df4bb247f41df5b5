#include "phpc/core/progress.hpp"

namespace phpc {

namespace {

class SilentProgress final : public Progress {
 public:
  void begin(std::string_view /*stage*/, std::uint64_t /*total*/) override {}
  void advance(std::uint64_t /*count*/) override {}
  void end() override {}
};

}  // namespace

Progress& no_progress() {
  static SilentProgress silent;
  return silent;
}

}  // namespace phpc
