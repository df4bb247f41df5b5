#include "jobs/fft/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

#include "jobs/fft/block_reader.hpp"
#include "jobs/processors.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/core/pipeline.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/split.hpp"
#include "phpc/fft/plan.hpp"

namespace phpc::jobs {

namespace {

constexpr int pipeline_slots = 3;

/// A progress that several devices report to.
class SharedProgress final : public Progress {
 public:
  explicit SharedProgress(Progress& progress) : progress_(progress) {}
  void begin(std::string_view stage, std::uint64_t total) override { progress_.begin(stage, total); }
  void advance(std::uint64_t count) override {
    const std::scoped_lock lock(mutex_);
    progress_.advance(count);
  }
  void end() override { progress_.end(); }

 private:
  Progress& progress_;
  std::mutex mutex_;
};

bool is_in_place(const FftProblem& problem) {
  return problem.in_type == problem.out_type;
}

std::uint64_t in_bytes(const FftProblem& problem) {
  return static_cast<std::uint64_t>(problem.in_elements()) * io::npy_item_bytes(problem.in_type);
}

/// Of a block as the file holds it, before it is cropped.
std::uint64_t file_bytes(const FftProblem& problem) {
  const index_t elements = std::accumulate(problem.file_block.begin(), problem.file_block.end(), index_t{1}, std::multiplies<>());
  return static_cast<std::uint64_t>(elements) * io::npy_item_bytes(problem.file_type);
}

std::uint64_t out_bytes(const FftProblem& problem) {
  return static_cast<std::uint64_t>(problem.out_elements()) * io::npy_item_bytes(problem.out_type);
}

/// The transforms of parts, with the plans that they need: made for a size of part when it first comes.
class PartTransform {
 public:
  PartTransform(const FftProblem& problem, const std::vector<exec::Device>& devices, const PlanListener& planned,
                Progress& progress)
      : problem_(problem), devices_(devices), plans_(devices.size()), planned_(planned), progress_(progress) {}

  void run(const std::byte* in, std::byte* out, index_t count) {
    if (count != count_) {
      std::fill(plans_.begin(), plans_.end(), std::nullopt);
      count_ = count;
    }
    problem_.precision() == fft::Precision::f32 ? run_as<float>(in, out) : run_as<double>(in, out);
  }

 private:
  template <class Real, class Byte>
  static auto array_at(io::NpyType type, Byte* first) {
    using Number = std::conditional_t<std::is_const_v<Byte>, const Real, Real>;
    using Value = std::conditional_t<std::is_const_v<Byte>, const Complex<Real>, Complex<Real>>;
    return type == io::npy_type_of<Real> ? fft::Array<Number>(reinterpret_cast<Number*>(first))
                                         : fft::Array<Number>(reinterpret_cast<Value*>(first));
  }

  /// Between neighbours of the batch, in elements.
  static index_t distance(const fft::Layout& layout, const std::vector<index_t>& lengths) {
    index_t dense = 1;
    for (const index_t length : lengths) {
      dense *= length;
    }
    return layout.distance != 0 ? layout.distance : dense;
  }

  template <class Real>
  void run_as(const std::byte* in, std::byte* out) {
    const fft::Descriptor whole = problem_.descriptor(count_);
    const fft::Array<const Real> from = array_at<Real>(problem_.in_type, in);
    const fft::Array<Real> to = array_at<Real>(problem_.out_type, out);
    exec::for_each_device(devices_, whole.batch, [&](exec::Device device, exec::Range range) {
      const auto place = std::find(devices_.begin(), devices_.end(), device) - devices_.begin();
      std::optional<fft::Plan>& plan = plans_[static_cast<std::size_t>(place)];
      if (!plan) {
        fft::Descriptor part = whole;
        part.batch = range.size();
        plan.emplace(part, device);
        if (planned_) {
          const std::scoped_lock lock(planned_mutex_);
          planned_(device, plan->describe());
        }
      }
      plan->execute_host(from.from(range.begin * distance(whole.in, whole.in_lengths())),
                         to.from(range.begin * distance(whole.out, whole.out_lengths())), progress_);
    });
  }

  const FftProblem& problem_;
  const std::vector<exec::Device>& devices_;
  std::vector<std::optional<fft::Plan>> plans_;
  index_t count_ = -1;
  const PlanListener& planned_;
  std::mutex planned_mutex_;
  Progress& progress_;
};

/// Memory of a part: what goes into its transform and, elsewhere or in the same place, what comes out.
struct PartMemory {
  PartMemory(exec::Device device, std::size_t in_size, std::size_t out_size)
      : in(device, static_cast<index_t>(in_size)), separate_out(device, static_cast<index_t>(out_size)) {}
  std::span<std::byte> out() { return separate_out.span().empty() ? in.span() : separate_out.span(); }
  exec::PinnedBuffer<std::byte> in;
  exec::PinnedBuffer<std::byte> separate_out;
};

struct Part {
  PartMemory* memory = nullptr;
  index_t count = 0;  ///< blocks
};

/// Reads parts, transforms them on the caller's thread and hands the results to the sink: one part is read and one written while
/// another is transformed, where the plan has memory for three.
class PartPipeline final : public Pipeline<Part> {
 public:
  PartPipeline(const FftProblem& problem, const PartPlan& parts, exec::Device device, BlockReader& reader,
               PartTransform& transform, const BlockSink& sink)
      : problem_(problem), blocks_of_part_(parts.blocks), reader_(reader), transform_(transform), sink_(sink) {
    for (int slot = 0; slot < parts.slots; ++slot) {
      const auto count = static_cast<std::size_t>(parts.blocks);
      memory_.emplace_back(device, count * in_bytes(problem), is_in_place(problem) ? 0 : count * out_bytes(problem));
    }
  }

  void run() { run_around_caller(memory_.size(), Writing::on_own_thread); }

 private:
  bool read(Part& part) override {
    if (begun_ == problem_.blocks) {
      return false;
    }
    if (part.memory == nullptr) {
      part.memory = &memory_[next_memory_++];
    }
    part.count = std::min(blocks_of_part_, problem_.blocks - begun_);
    begun_ += part.count;
    reader_.read(part.memory->in.span().first(static_cast<std::size_t>(part.count) * in_bytes(problem_)), part.count);
    return true;
  }
  void work(Part& part) override { transform_.run(part.memory->in.span().data(), part.memory->out().data(), part.count); }
  void write(Part& part) override {
    sink_(part.memory->out().first(static_cast<std::size_t>(part.count) * out_bytes(problem_)), part.count);
  }
  void begin_thread() override { use_all_processors(); }

  const FftProblem& problem_;
  const index_t blocks_of_part_;
  BlockReader& reader_;
  PartTransform& transform_;
  const BlockSink& sink_;
  std::vector<PartMemory> memory_;  ///< of each slot of the pipeline
  std::size_t next_memory_ = 0;     ///< that no slot has yet
  index_t begun_ = 0;               ///< blocks
};

}  // namespace

PartPlan plan_parts(const FftProblem& problem, const io::ArrayReader& reader, std::uint64_t memory, std::uint64_t beside) {
  std::uint64_t block = in_bytes(problem) + (is_in_place(problem) ? 0 : out_bytes(problem));
  if (!reader.is_sequential()) {
    block += file_bytes(problem);  // BlockReader's copy
  }
  // No byte of such a file speaks for its shape.
  PHPC_VALIDATE(
      reader.size() > 0 || out_bytes(problem) == 0 || static_cast<std::uint64_t>(problem.blocks) <= memory / out_bytes(problem),
      ErrorKind::input,
      fmt::format("'{}' of shape ({}) holds no elements, and would become more zeros than {} (--memory) hold; is it the "
                  "right shape?",
                  reader.name(), fmt::join(reader.shape(), ", "), format_bytes(memory)));
  if (block == 0 || problem.blocks == 0) {
    return {.blocks = std::max<index_t>(1, problem.blocks), .slots = 1};
  }
  PHPC_VALIDATE(block <= memory && beside <= memory - block, ErrorKind::memory,
                fmt::format("cannot transform '{}' ({} at a time, {} allowed by --memory); allow more, or transform fewer axes",
                            reader.name(), format_bytes(block + beside), format_bytes(memory)));
  memory -= beside;
  const auto all = static_cast<std::uint64_t>(problem.blocks);
  if (!reader.is_sequential()) {
    // Each part goes through the whole file: as few as can be.
    return {.blocks = static_cast<index_t>(std::min(all, memory / block)), .slots = 1};
  }
  // Parts this large hide the start of reads, launches and copies, and several of them let these overlap.
  constexpr std::uint64_t good_part = std::uint64_t{128} << 20;
  const std::uint64_t part = std::clamp<std::uint64_t>(std::min(good_part, memory / pipeline_slots) / block, 1, all);
  const std::uint64_t parts = (all + part - 1) / part;
  const bool overlaps = parts > 1 && memory / (part * block) >= pipeline_slots;
  return {.blocks = static_cast<index_t>(part), .slots = overlaps ? pipeline_slots : 1};
}

void transform_stream(io::ArrayReader& reader, const FftProblem& problem, const std::vector<exec::Device>& devices,
                      const PartPlan& parts, const std::vector<double>& window, const BlockSink& sink,
                      const PlanListener& planned, Progress& progress) {
  if (problem.blocks == 0 || problem.out_elements() == 0) {
    reader.finish();
    return;
  }
  SharedProgress shared(progress);
  shared.begin("transforms", static_cast<std::uint64_t>(problem.blocks * problem.transforms()));
  BlockReader blocks(reader, problem, window);
  PartTransform transform(problem, devices, planned, shared);
  PartPipeline(problem, parts, devices.front(), blocks, transform, sink).run();
  reader.finish();
  shared.end();
}

}  // namespace phpc::jobs
