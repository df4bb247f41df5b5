#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jobs/fft/problem.hpp"
#include "phpc/core/progress.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/io/array_reader.hpp"

namespace phpc::jobs {

/// Takes the result of `count` blocks, in order; not on the thread that transforms.
using BlockSink = std::function<void(std::span<const std::byte> out, index_t count)>;

/// Is told of each plan that is made; by several threads, one after the other.
using PlanListener = std::function<void(exec::Device device, const std::string& description)>;

/// How the blocks of a problem are cut into parts that fit into memory.
struct PartPlan {
  index_t blocks = 0;  ///< of each part but the last
  /// Parts in memory at a time: with three, one is read and one written while one is transformed.
  int slots = 1;
};

/// How parts of a block or more fit into `memory` bytes, of which `beside` are taken by other things. Throws Error(memory), with
/// both figures, when a block does not, and Error(input) when an array without elements would become more than that of zeros.
PartPlan plan_parts(const FftProblem& problem, const io::ArrayReader& reader, std::uint64_t memory, std::uint64_t beside = 0);

/// Reads an array part by part, transforms it on the devices and hands the result to `sink`. `window` is BlockReader's.
/// Checks that the file ends with the array. Throws Error.
void transform_stream(io::ArrayReader& reader, const FftProblem& problem, const std::vector<exec::Device>& devices,
                      const PartPlan& parts, const std::vector<double>& window, const BlockSink& sink,
                      const PlanListener& planned, Progress& progress);

}  // namespace phpc::jobs
