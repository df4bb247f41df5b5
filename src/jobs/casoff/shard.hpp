#pragma once
#include "jobs/casoff/search.hpp"
#include "jobs/shard.hpp"

namespace phpc::jobs {

/// Searches one share of the genome's bases (those of regions, where there are some), numbered over all sequences in order: the
/// sites whose leftmost base is in the share. Writes a part for `merge`; stops at a checkpoint, between chunks, when the caller
/// asks for it.
///
/// Every share reads the lengths of all sequences first, which means all letters of FASTA. Of .2bit and packed genomes it reads
/// its own bases only. Throws Error, Stopped.
void search_share(Caller& caller, const CasoffJob& job, const Shard& shard, const ShardOptions& options);

}  // namespace phpc::jobs
