#include "cli/commands/job_options.hpp"

#include <CLI/CLI.hpp>

#include "cli/options/byte_size.hpp"

namespace phpc::cli {

void add_memory_option(CLI::App& command, std::uint64_t& bytes, const std::string& description) {
  command.add_option("--memory", bytes, description)->transform(byte_size())->type_name("SIZE")->group("Output");
}

void exclude_from_bench(CLI::Option& bench, CLI::App& command,
                        const std::function<bool(const std::string& name, const std::string& group)>& is_ignored) {
  for (CLI::Option* const option : command.get_options()) {
    const std::string name = option->get_name();
    const std::string group = option->get_group();
    if (group == "Sharding" || name == "--memory" || is_ignored(name, group)) {
      bench.excludes(option);
    }
  }
}

}  // namespace phpc::cli
