#pragma once
#include <span>
#include <string_view>

namespace phpc::casoff {

/// Which kernel counts the mismatches of guides and candidates, the slots that fit the pattern.
///
/// `ours` counts those of 64 slots in words of bits, with bulges and every policy for ambiguous letters. The others are
/// Cas-OFFinder's comparer as Jin and Vetter moved it from OpenCL to SYCL, and their four optimisations of it, each on top of
/// those before it. They are for comparison: a work item compares one candidate with one guide, letter by letter, a letter is a
/// byte, and each guide is a launch. They know neither bulges nor any policy but Cas-OFFinder's.
enum class Comparer {
  ours,
  base,  ///< the first work item of a group copies the guide to scratch; what is needed is read where it is needed
  opt1,  ///< pointers that alias no other
  opt2,  ///< a candidate's place and flag are read once, into registers
  opt3,  ///< all work items of a group copy the guide
  opt4,  ///< the guide's letter is read once for a comparison, into a register
};

/// The names of the comparers, in the order of the enumeration: "ours", "base", "opt1", ..., "opt4".
std::span<const std::string_view> comparer_names();
/// The name of a comparer.
std::string_view to_string(Comparer comparer);
/// The comparer of a name. Throws Error(usage) for any other text.
Comparer parse_comparer(std::string_view name);

}  // namespace phpc::casoff
