#include "support/site_row_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <tuple>

#include "phpc/core/parse.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::test {

std::string written_rows(std::string_view format, std::span<const io::SiteRow> rows, io::SiteColumns columns,
                         std::span<const std::string> names, std::span<const index_t> lengths) {
  const TemporaryDirectory directory;
  const std::string path = directory / "rows";
  io::OutputFile out(path);
  io::SiteRowWriter writer(out, format, columns, {.version = "1.2.3", .command_line = "portable-hpc casoff x"},
                           [&](index_t contig) { return std::string_view(names[static_cast<std::size_t>(contig)]); });
  for (const io::SiteRow& row : rows) {
    writer.write(row);
  }
  writer.finish(lengths);
  out.commit();
  return read_file(path);
}

std::vector<std::string> fields_of(const std::string& line, char separator) {
  std::vector<std::string> fields(1);
  for (const char letter : line) {
    if (letter == separator) {
      fields.emplace_back();
    } else {
      fields.back() += letter;
    }
  }
  return fields;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines = fields_of(text, '\n');
  if (lines.back().empty()) {
    lines.pop_back();
  }
  return lines;
}

GoldenRows read_golden_rows(const std::string& path) {
  GoldenRows golden;
  for (const std::string& line : lines_of(read_file(path))) {
    std::vector<std::string>& fields = golden.fields.emplace_back(fields_of(line));
    while (fields.size() > 9) {  // tabs within the sequence's name
      fields[4] += "\t" + fields[5];
      fields.erase(fields.begin() + 5);
    }
    std::string guide = fields[2];
    guide.erase(std::remove(guide.begin(), guide.end(), '-'), guide.end());
    fields.push_back(guide);
  }
  std::sort(golden.fields.begin(), golden.fields.end(),
            [](const auto& a, const auto& b) { return std::tie(a[4], a) < std::tie(b[4], b); });
  for (const std::vector<std::string>& fields : golden.fields) {
    if (golden.names.empty() || golden.names.back() != fields[4]) {
      golden.names.push_back(fields[4]);
      golden.lengths.push_back(0);
    }
    const auto id = parse_integer(fields[0]);
    io::SiteRow row;
    row.guide_number = id.value_or(0);
    row.id = id.has_value() ? std::string_view() : std::string_view(fields[0]);
    row.guide = fields[9];
    row.guide_row = fields[2];
    row.site_row = fields[3];
    row.bulge = fields[1] == "DNA" ? io::Bulge::dna : fields[1] == "RNA" ? io::Bulge::rna : io::Bulge::none;
    row.site_gaps = row.bulge == io::Bulge::rna ? row.site_row : std::string_view();
    row.contig = static_cast<index_t>(golden.names.size()) - 1;
    row.position = std::stoll(fields[5]);
    row.bulge_size = std::stoll(fields[8]);
    row.site_length = static_cast<index_t>(row.site_row.size()) - (row.bulge == io::Bulge::rna ? row.bulge_size : 0);
    row.strand = fields[6][0];
    row.mismatches = std::stoll(fields[7]);
    golden.lengths.back() = std::max(golden.lengths.back(), row.position + row.site_length);
    golden.rows.push_back(row);
  }
  return golden;
}

std::vector<std::string> shared_casoff_cases() {
  namespace fs = std::filesystem;
  const char* const shared = std::getenv("PHPC_SHARED");
  const fs::path cases = fs::path(shared != nullptr ? shared : "") / "cases/casoff";
  std::vector<std::string> folders;
  if (fs::is_directory(cases)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(cases)) {
      if (entry.is_directory()) {
        folders.push_back(entry.path().string());
      }
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace phpc::test
