#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// What the command lines of `fft` and `batch` have in common beside shards and plots.
namespace phpc::cli {

/// The heading of --bench and its options.
inline constexpr const char* bench_group = "Benchmark";

/// Adds --memory, under "Output".
void add_memory_option(CLI::App& command, std::uint64_t& bytes, const std::string& description);

/// Makes errors of options beside `bench` that a benchmark does not look at: --memory, those of shards, and those for which
/// `is_ignored` says so of their long name, with dashes, and their group.
void exclude_from_bench(CLI::Option& bench, CLI::App& command,
                        const std::function<bool(const std::string& name, const std::string& group)>& is_ignored);

}  // namespace phpc::cli
