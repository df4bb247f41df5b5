#pragma once
#include <string>
#include <vector>

#include "cli/session/session.hpp"
#include "jobs/casoff/search.hpp"

namespace phpc::cli {

/// What `casoff --bench` takes beside the search itself.
struct CasoffBenchOptions {
  bool runs_bench = false;
  std::vector<std::string> comparers{"ours"};  ///< names, in the order in which they are measured
  int repeats = 4;
  bool with_host = false;  ///< after the other devices
};

/// `casoff --bench`: searches the genome of the job `repeats` times on each of its devices by itself and by each comparer, as Jin
/// and Vetter did for their port of Cas-OFFinder to SYCL (Tables VIII and IX, Figure 2), these in turn. Rows are made and
/// counted, not written. A table to the job's output, a row for each device and comparer: where the time of the quickest run
/// went. Throws Error, also where two comparers or devices do not find the same. Returns the exit code.
int bench_casoff(Session& session, const jobs::CasoffJob& job, const CasoffBenchOptions& options);

}  // namespace phpc::cli
