#pragma once
#include "cli/bench/casoff.hpp"
#include "jobs/casoff/input.hpp"
#include "jobs/casoff/output.hpp"

namespace CLI {
class App;
}

namespace phpc::cli {

/// Adds the options of the search and of its genome, all but the positional.
void add_casoff_input_options(CLI::App& command, jobs::CasoffInputOptions& options);

/// Adds the options of what is written of the sites.
void add_casoff_output_options(CLI::App& command, jobs::CasoffOutputOptions& options);

/// Adds --bench and its options; options of rows, of parts and of jobs that are no search, which must be there already, become
/// errors beside it.
void add_casoff_bench_options(CLI::App& command, CasoffBenchOptions& options);

}  // namespace phpc::cli
