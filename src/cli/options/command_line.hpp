#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace phpc::cli {

/// The words of a command line in the order that CLI11 takes: options of a command that stand before its name come after it, as
/// in `portable-hpc --quiet fft x`.
std::vector<std::string> arranged(const CLI::App& app, const std::vector<std::string>& words);

/// The command that was parsed last, or the program itself.
const CLI::App& chosen_command(const CLI::App& app);

/// What is wrong with a command line that CLI11 refused with `error`, as a plain sentence: what was meant by an unknown word,
/// what an option takes, which options do not go together.
std::string complaint(const CLI::App& app, const CLI::ParseError& error);

}  // namespace phpc::cli
