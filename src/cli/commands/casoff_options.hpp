#pragma once
#include "jobs/casoff/input.hpp"
#include "jobs/casoff/output.hpp"

namespace CLI {
class App;
}

namespace phpc::cli {

/// Adds what is searched, and in what, to the subcommand, but for the positional.
void add_casoff_input_options(CLI::App& command, jobs::CasoffInputOptions& options);

/// Adds what the user wants to see of the sites.
void add_casoff_output_options(CLI::App& command, jobs::CasoffOutputOptions& options);

}  // namespace phpc::cli
