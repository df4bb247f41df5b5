#pragma once
#include <cstdint>
#include <string_view>

namespace phpc {

/// Where a domain reports how far it is. Domains report and never print; the command line draws the bar.
/// Calls come from one thread at a time.
class Progress {
 public:
  virtual ~Progress() = default;
  /// A stage of `total` units starts ("bases", "transforms", "systems"); total 0 = unknown.
  virtual void begin(std::string_view stage, std::uint64_t total) = 0;
  /// `count` more units are done.
  virtual void advance(std::uint64_t count) = 0;
  virtual void end() = 0;
};

/// A Progress that ignores everything.
Progress& no_progress();

}  // namespace phpc
