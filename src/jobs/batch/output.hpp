#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/shard.hpp"
#include "phpc/batch/solver.hpp"
#include "phpc/io/matrix_market.hpp"
#include "phpc/io/output_file.hpp"

namespace phpc::jobs {

/// What is written for each system of a batch, and in which form.
enum class BatchResult {
  npy_solutions,  ///< x, float64 or complex128, of shape (systems, rows) or (systems, rows, columns)
  mtx_solutions,  ///< x, a column for each right-hand side
  tsv_report,     ///< a line for each right-hand side
};

/// The shape of a system.
struct SolveShape {
  index_t rows = 0;
  index_t columns = 1;  ///< right-hand sides
  bool is_complex = false;

  /// Values that a number is.
  [[nodiscard]] index_t words() const { return is_complex ? 2 : 1; }
};

/// "npy", "mtx", "tsv".
std::string_view name_of(BatchResult result);

/// .npy, unless the path ends in .mtx. Throws Error(usage) where it names another format.
BatchResult solution_format(const std::string& path);

/// A result on its way to a file, or one shard's part of it, in ascending order of systems.
class BatchOutput {
 public:
  /// Of a whole batch. Throws Error(io) when the file cannot be written.
  BatchOutput(BatchResult result, const std::string& path) : result_(result), whole_(path) {}
  /// Of a share of it; `job` without the prologue, which depends on the result.
  BatchOutput(BatchResult result, const std::string& path, SolveShape shape, const Shard& shard, const ShardOptions& options,
              const Caller& caller, ShardOutput::Job job, const std::string& device);

  /// To be called before the first write() to a whole file.
  void begin(index_t systems, SolveShape shape);
  /// The systems that are still to come, of [0, systems).
  [[nodiscard]] exec::Range left() const { return part_ ? part_->left() : exec::Range{next_, systems_}; }
  /// Writes those of `systems` that are still to come. `x`, of shape (systems, columns, rows), two values a complex number, and
  /// `reports` are of all of `systems`. Throws Stopped when a checkpoint was asked for and written.
  void write(exec::Range systems, std::span<const double> x, std::span<const batch::Report> reports);
  void commit();

 private:
  [[nodiscard]] std::string prologue(index_t systems) const;
  [[nodiscard]] io::MarketField field() const;

  BatchResult result_;
  std::optional<io::OutputFile> whole_;
  std::optional<ShardOutput> part_;
  SolveShape shape_;
  index_t systems_ = 0;
  index_t next_ = 0;  ///< of a whole file
};

/// The systems that one of the outputs at least still needs; all of [0, systems) where there are no outputs.
exec::Range left_of(const std::vector<BatchOutput*>& streams, index_t systems);

/// Writes systems to each. When a checkpoint was asked for, each has written one before this throws Stopped.
void write_piece(const std::vector<BatchOutput*>& streams, exec::Range systems, std::span<const double> x,
                 std::span<const batch::Report> reports);

}  // namespace phpc::jobs
