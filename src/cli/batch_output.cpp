#include "cli/batch_output.hpp"

#include <algorithm>

#include "cli/batch_report.hpp"
#include "cli/output_format.hpp"
#include "phpc/io/matrix_market.hpp"
#include "phpc/io/npy.hpp"

namespace phpc::cli {

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

std::string BatchOutput::prologue(index_t systems, index_t rows) const {
  switch (result_) {
    case BatchResult::npy_solutions: {
      const index_t shape[] = {systems, rows};
      return io::npy_header(io::NpyType::float64, shape);
    }
    case BatchResult::mtx_solutions:
      return io::matrix_market_array_header(rows, systems);
    case BatchResult::tsv_report:
      break;
  }
  return report_header();
}

BatchOutput::BatchOutput(BatchResult result, const std::string& path, index_t rows, const Shard& shard,
                         const ShardOptions& options, const Session& session, ShardOutput::Job job, const std::string& device)
    : result_(result), systems_(job.units) {
  job.prologue = prologue(job.units, rows);
  part_.emplace(shard, options, session, path, std::move(job), device);
}

void BatchOutput::begin(index_t systems, index_t rows) {
  if (whole_) {
    systems_ = systems;
    whole_->write(prologue(systems, rows));
  }
}

void BatchOutput::write(exec::Range systems, std::span<const double> x, std::span<const batch::Report> reports) {
  const index_t first = std::clamp(left().begin, systems.begin, systems.end);
  const auto done = static_cast<std::size_t>(first - systems.begin);
  const std::span<const batch::Report> new_reports = reports.subspan(done);
  const std::span<const double> new_x = reports.empty() ? x : x.subspan(done * (x.size() / reports.size()));
  std::string text;
  std::span<const std::byte> bytes;
  if (result_ == BatchResult::npy_solutions) {
    bytes = std::as_bytes(new_x);
  } else {
    text = result_ == BatchResult::mtx_solutions ? io::matrix_market_lines(new_x) : report_lines(first, new_reports);
    bytes = std::as_bytes(std::span(text));
  }
  if (whole_) {
    whole_->write(bytes);
    next_ = systems.end;
  } else if (left().size() > 0) {
    part_->write(bytes, systems.end, systems.end - first);
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

}  // namespace phpc::cli
