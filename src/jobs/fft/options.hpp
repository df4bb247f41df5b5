#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jobs/shard.hpp"
#include "phpc/core/types.hpp"
#include "phpc/io/array_reader.hpp"

namespace phpc::jobs {

/// What a user asks of `fft`, beside what belongs to --bench. Lists are text as typed; problem.hpp and raw_format() read them.
struct FftOptions {
  std::vector<std::string> inputs;
  std::string files_from;
  std::string dtype;
  std::string shape;

  bool inverse = false;
  bool real = false;
  std::string axes = "-1";
  bool axes_given = false;
  std::string norm = "backward";
  double scale = 1;
  std::string shape_out;

  bool spectrum = false;
  bool amplitude = false;
  std::string window = "none";
  std::optional<double> rate;  ///< absent = the file's own, or 1
  std::string plot;

  std::string output;                        ///< empty = not given
  bool standard_output_is_terminal = false;  ///< then no array goes there
  std::string output_format = "auto";
  std::string table_format;  ///< of spectra: tsv or json; empty = by the name of the file
  std::uint64_t memory = 0;  ///< bytes; 0 = half of what is free
  ShardOptions sharding;
};

/// The format of bare elements where --dtype says that the inputs are such.
std::optional<io::RawFormat> raw_format(const FftOptions& options, std::uint64_t memory);

}  // namespace phpc::jobs
