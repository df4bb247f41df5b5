#pragma once
#include <functional>
#include <string>
#include <vector>

#include "jobs/caller.hpp"
#include "jobs/shard.hpp"

namespace phpc::jobs {

/// All inputs: those named, then those that the list holds, a path a line ("-": standard input; empty: no list). Throws
/// Error(usage) when there is none.
std::vector<std::string> input_paths(const std::vector<std::string>& named, const std::string& list);

/// Where each input's result goes. One input: to `output` as it stands, or with its {stem} filled in. Several: `output` is a
/// pattern with {stem} (the input's file name without extension), or a folder, which is made when it is absent, for files named
/// {stem} and `extension` (".npy"). Throws Error(usage) when several inputs come without such a place; `option` is how messages
/// call it.
std::vector<std::string> output_paths(const std::vector<std::string>& inputs, const std::string& output,
                                      const std::string& extension, const std::string& option);

/// Calls work(i) for each input. An error of one input is reported and does not stop the others; with a single input it is
/// thrown. Returns whether all went well.
bool for_each_input(const std::vector<std::string>& inputs, const Caller& caller, const std::function<void(std::size_t)>& work);

/// The entries of a list that belong to a shard.
std::vector<std::string> share_of(const std::vector<std::string>& paths, const Shard& shard);

/// Whether all results exist and are no older than the input: they were made of it then, since results appear whole.
bool are_up_to_date(const std::string& input, const std::vector<std::string>& results);

}  // namespace phpc::jobs
