#pragma once
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "support/temporary_directory.hpp"

namespace phpc::test {

/// A small job of the program, run in a folder of its own.
struct Job {
  std::string name;
  std::vector<std::string> arguments;
  std::set<std::string> outputs;  ///< files that it writes
  std::set<std::string> inputs;   ///< files and folders that make_inputs makes
  std::function<void(const TemporaryDirectory&)> make_inputs;
  std::string standard_input{};
  bool output_varies = false;  ///< standard output is not the same in every run
};

/// Jobs of every subcommand, with every kind of input that has a reader of its own.
std::vector<Job> jobs();

inline void PrintTo(const Job& job, std::ostream* out) {
  *out << job.name;
}

}  // namespace phpc::test
