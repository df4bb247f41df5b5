#pragma once
#include <string>
#include <vector>

#include "jobs/caller.hpp"
#include "jobs/fft/options.hpp"

namespace phpc::jobs {

/// What all inputs of one command share.
struct FftJob {
  const FftOptions& options;
  Caller& caller;
  std::vector<exec::Device> devices;
  std::uint64_t memory;  ///< bytes that the parts of an array may take
};

/// Transforms the array of a file and writes the result, as .npy or bare elements.
void transform_file(const FftJob& job, const std::string& input, const std::string& output);

/// The same of one shard's share of the array's blocks: a part.
void transform_share(const FftJob& job, const std::string& input, const std::string& output, const Shard& shard);

/// Writes the spectra of a file's array as a table (`table` empty: no) and as a picture (`plot` empty: no).
void spectrum_of_file(const FftJob& job, const std::string& input, const std::string& table, const std::string& plot);

/// Whether a result goes out as .npy, by --output-format and the name of the output; otherwise as bare elements. Throws
/// Error(usage) where the name is one of neither.
bool writes_npy(const FftOptions& options, const std::string& output);

}  // namespace phpc::jobs
