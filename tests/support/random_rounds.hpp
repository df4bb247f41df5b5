#pragma once

namespace phpc::test {

/// How many random problems to draw: `count`, or a fourth of it, one at least, with sanitizers, with which each takes several
/// times as long.
constexpr int random_rounds(int count) {
#if defined(PHPC_SANITIZED)
  return count < 4 ? 1 : count / 4;
#else
  return count;
#endif
}

}  // namespace phpc::test
