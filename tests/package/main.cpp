// What a program outside this project does with the installed libraries: one small problem each, compiled by another compiler.
#include <cmath>
#include <cstdio>
#include <phpc/batch/solver.hpp>
#include <phpc/casoff/search.hpp>
#include <phpc/core/parse.hpp>
#include <phpc/exec/device.hpp>
#include <phpc/fft/plan.hpp>
#include <phpc/io/table.hpp>
#include <vector>

namespace {

using phpc::exec::Device;

int failures = 0;

void check(bool holds, const char* what) {
  if (!holds) {
    std::printf("wrong: %s\n", what);
    ++failures;
  }
}

void transform(Device device) {
  std::vector<phpc::Complex<float>> values(8, {1, 0});
  const phpc::fft::Plan plan({.lengths = {8}}, device);
  plan.execute_host(values.data(), values.data());
  check(std::abs(values[0].re - 8) < 1e-5F && std::abs(values[1].re) < 1e-5F, "fft of a constant");
}

void search(Device device) {
  using namespace phpc::casoff;
  const std::vector<Contig> contigs = {{"chr", "TTTACGTAGGTTT"}};
  Search search(Pattern("NNNNNGG"), {{Pattern("ACGAANN"), 2, ""}}, {device});
  const std::vector<FoundSite> found = search_contigs(contigs, search);
  check(found.size() == 1 && found[0].letters == "ACGtAGG", "off-target search");
}

void solve(Device device) {
  using namespace phpc::batch;
  const CsrBatch<double> matrix({{0, 1, 2}, {0, 1}}, {2, 4});
  const std::vector<double> rhs = {2, 8};
  std::vector<double> x(2, 0.0);
  const std::vector<Report> reports = solve<double>(matrix, rhs, x, {}, std::vector{device});
  check(reports.at(0).status == Status::converged && std::abs(x[1] - 2) < 1e-6, "batched solver");
}

}  // namespace

int main() {
  check(phpc::parse_integer("42") == 42, "core");
  check(phpc::io::parse_table_format("json") == phpc::io::TableFormat::json, "io");
  // The host, and a device with memory of its own where the libraries hold an image for one.
  for (const Device device : {Device::all().front(), Device::all().back()}) {
    transform(device);
    search(device);
    solve(device);
  }
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
