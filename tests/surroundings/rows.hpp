#pragma once
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace phpc::test {

/// What a row of the table cannot do without.
enum class Needs {
  nothing,
  mounts,       ///< a mount namespace of its own: root, or user namespaces
  another_tmp,  ///< the same, and a program that does not lie below /tmp
  other_user,   ///< root, which becomes an ordinary user
};

/// What the file y.npy is after a row.
enum class Result { whole, older, whole_or_older };

/// Surroundings, a command, and how it must end. The script runs in a folder with x.npy (the input), y.npy (an older result),
/// input.txt, g.fa, genes.bed and an empty folder `extra`. Functions of scripts: `p` runs the program, `only` in place of
/// bash, `transform` makes y.npy of
/// x.npy, `give_up` ends a row that could not be set up.
struct Row {
  std::string name;
  Needs needs;
  std::string script;
  std::set<int> exits;  ///< exit codes, 128 + number for signals
  std::string says;     ///< part of the one line on standard error; empty: there is none where the exit code is 0
  Result result;
  bool may_be_silent = false;  ///< about a failure
};

std::vector<Row> rows();

inline void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

}  // namespace phpc::test
