#include "phpc/casoff/comparer.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "phpc/core/error.hpp"

namespace phpc::casoff {

namespace {

constexpr std::array<std::string_view, 6> names{"ours", "base", "opt1", "opt2", "opt3", "opt4"};

}  // namespace

std::span<const std::string_view> comparer_names() {
  return names;
}

std::string_view to_string(Comparer comparer) {
  return names[static_cast<std::size_t>(comparer)];
}

Comparer parse_comparer(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  PHPC_VALIDATE(found != names.end(), ErrorKind::usage,
                "no comparer is called '" + std::string(name) + "'; give ours, base, opt1, opt2, opt3 or opt4");
  return static_cast<Comparer>(found - names.begin());
}

}  // namespace phpc::casoff
