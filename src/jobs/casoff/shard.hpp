#pragma once
#include <functional>
#include <string>
#include <vector>

#include "jobs/casoff/input.hpp"
#include "jobs/casoff/output.hpp"
#include "jobs/shard.hpp"
#include "phpc/casoff/search.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::cli {

/// A search, all of which is asked for but the devices.
struct CasoffJob {
  const CasoffInputOptions& input_options;
  const CasoffOutputOptions& row_options;
  io::SearchInput input;
  casoff::SearchOptions how;
  std::function<std::vector<exec::Device>()> devices;  ///< called once, when there is something to do
  std::string output;
};

/// Bases of the longest site that an alignment can have, less one: what chunks and shares reach beyond their end.
int reach_of(const casoff::Pattern& pattern, const io::SearchInput& input);

/// Searches one share of the genome's bases (those of regions, where there are some), numbered over all sequences in order: the
/// sites whose leftmost base is in the share. Writes a part for `merge`; stops at a checkpoint, between chunks, on SIGUSR1.
///
/// Every share reads the lengths of all sequences first, which means all letters of FASTA. Of .2bit and packed genomes it reads
/// its own bases only. Throws Error, Stopped.
void search_share(Session& session, const CasoffJob& job, const Shard& shard, const ShardOptions& options);

}  // namespace phpc::cli
