#include "jobs/batch/output.hpp"

#include <algorithm>

#include "jobs/batch/report.hpp"
#include "jobs/batch/sets.hpp"
#include "jobs/output_format.hpp"
#include "phpc/io/matrix_market.hpp"
#include "phpc/io/npy.hpp"

namespace phpc::jobs {

std::string_view name_of(BatchResult result) {
  switch (result) {
    case BatchResult::npy_solutions:
      return "npy";
    case BatchResult::mtx_solutions:
      return "mtx";
    case BatchResult::tsv_report:
      return "tsv";
  }
  return "";
}

BatchResult solution_format(const std::string& path) {
  const OutputKind kind{.what = "solutions", .place = "-o", .format_option = "", .formats = {"npy", "mtx"}, .is_text = false};
  return output_format(path, "", kind) == "mtx" ? BatchResult::mtx_solutions : BatchResult::npy_solutions;
}

io::MarketField BatchOutput::field() const {
  return shape_.is_complex ? io::MarketField::complex : io::MarketField::real;
}

std::string BatchOutput::prologue(index_t systems) const {
  switch (result_) {
    case BatchResult::npy_solutions: {
      std::vector<index_t> axes{systems, shape_.rows};
      if (shape_.columns > 1) {
        axes.push_back(shape_.columns);
      }
      return io::npy_header(shape_.is_complex ? io::NpyType::complex128 : io::NpyType::float64, axes);
    }
    case BatchResult::mtx_solutions:
      return io::matrix_market_array_header(shape_.rows, systems * shape_.columns, field());
    case BatchResult::tsv_report:
      break;
  }
  return report_header(shape_.columns);
}

BatchOutput::BatchOutput(BatchResult result, const std::string& path, SolveShape shape, const Shard& shard,
                         const ShardOptions& options, const Caller& caller, ShardOutput::Job job, const std::string& device)
    : result_(result), shape_(shape), systems_(job.units) {
  job.prologue = prologue(job.units);
  part_.emplace(shard, options, caller, path, std::move(job), device);
}

void BatchOutput::begin(index_t systems, SolveShape shape) {
  if (whole_) {
    systems_ = systems;
    shape_ = shape;
    whole_->write(prologue(systems));
  }
}

void BatchOutput::write(exec::Range systems, std::span<const double> x, std::span<const batch::Report> reports) {
  const index_t first = std::clamp(left().begin, systems.begin, systems.end);
  const auto done = static_cast<std::size_t>((first - systems.begin) * shape_.columns);
  const std::span<const batch::Report> new_reports = reports.subspan(done);
  const std::span<const double> new_x = x.subspan(done * static_cast<std::size_t>(shape_.rows * shape_.words()));
  std::string text;
  std::vector<double> turned;
  std::span<const std::byte> bytes;
  if (result_ == BatchResult::npy_solutions && shape_.columns > 1) {
    turned.assign(new_x.begin(), new_x.end());
    transpose_blocks(turned, shape_.columns, shape_.rows, shape_.words());
    bytes = std::as_bytes(std::span(turned));
  } else if (result_ == BatchResult::npy_solutions) {
    bytes = std::as_bytes(new_x);
  } else {
    text = result_ == BatchResult::mtx_solutions ? io::matrix_market_lines(new_x, field())
                                                 : report_lines(first, new_reports, shape_.columns);
    bytes = std::as_bytes(std::span(text));
  }
  if (whole_) {
    whole_->write(bytes);
    next_ = systems.end;
  } else if (left().size() > 0) {
    part_->write(bytes, systems.end, (systems.end - first) * shape_.columns);
  }
}

void BatchOutput::commit() {
  whole_ ? whole_->commit() : part_->commit();
}

exec::Range left_of(const std::vector<BatchOutput*>& streams, index_t systems) {
  if (streams.empty()) {
    return {0, systems};
  }
  exec::Range left = streams.front()->left();
  for (const BatchOutput* const stream : streams) {
    const exec::Range other = stream->left();
    left = other.size() > left.size() ? other : left;  // they end at the same place
  }
  return left;
}

void write_piece(const std::vector<BatchOutput*>& streams, exec::Range systems, std::span<const double> x,
                 std::span<const batch::Report> reports) {
  std::optional<Stopped> stopped;
  std::vector<BatchOutput*> going;
  for (BatchOutput* const stream : streams) {
    try {
      stream->write(systems, x, reports);
      going.push_back(stream);
    } catch (const Stopped& stop) {
      stopped = stop;
    }
  }
  if (!stopped) {
    return;
  }
  for (BatchOutput* const stream : going) {  // written before the signal came
    try {
      stream->write(systems, x, reports);
    } catch (const Stopped&) {
      continue;
    }
  }
  throw Stopped(*stopped);
}

}  // namespace phpc::jobs
