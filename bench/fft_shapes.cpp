// Shapes of the general kernel for GPUs (radices, threads and transforms of a team) that are quicker than those which its rule
// chooses, for rows of complex numbers or of real ones and their half spectra: tries many of each smooth
// length that one pass of the general kernel does, and prints the rows of the table in
// fft/device/general/rule/measured_shapes.cpp. Such a table is worth as much as the GPU that it was measured on has in common
// with others.
//   find_fft_shapes --kind r2c --precision f64 --least 8 --most 20000 --gain 0.03
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/general/launch.hpp"
#include "fft/device/general/rule/rule.hpp"
#include "fft/device/general/rule/single_stage.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/device/pass_tables.hpp"
#include "fft/device/register_rows/launch.hpp"
#include "fft/math/factors.hpp"
#include "measure/statistics.hpp"
#include "option_values.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/exec/unfinished_launches.hpp"

namespace phpc::bench {
namespace {

using fft::GeneralShape;

enum class Kind { c2c, r2c, c2r };

struct Options {
  Kind kind = Kind::c2c;
  bool is_double = false;
  index_t least = 8;
  index_t most = 20000;
  double gain = 0.04;                  ///< of the rule's time, that a shape has to save
  index_t bytes = index_t{256} << 20;  ///< of the rows
};

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    PHPC_VALIDATE(i + 1 < argc, ErrorKind::usage, "option " + name + " needs a value");
    const std::string value = argv[i + 1];
    if (name == "--kind") {
      PHPC_VALIDATE(value == "c2c" || value == "r2c" || value == "c2r", ErrorKind::usage, "--kind is c2c, r2c or c2r");
      options.kind = value == "c2c" ? Kind::c2c : value == "r2c" ? Kind::r2c : Kind::c2r;
    } else if (name == "--precision") {
      PHPC_VALIDATE(value == "f32" || value == "f64", ErrorKind::usage, "--precision is f32 or f64");
      options.is_double = value == "f64";
    } else if (name == "--least") {
      options.least = integer_of(name, value);
    } else if (name == "--most") {
      options.most = integer_of(name, value);
    } else if (name == "--gain") {
      const std::optional<double> gain = parse_real(value);
      PHPC_VALIDATE(gain && *gain >= 0 && *gain < 1, ErrorKind::usage, "--gain is a share of 1, not " + value);
      options.gain = *gain;
    } else if (name == "--bytes") {
      options.bytes = integer_of(name, value);
    } else {
      fail(ErrorKind::usage, "there is no option " + name);
    }
  }
  return options;
}

/// Lists of radices, the first stage's first: those of the fewest stages and of one more under each limit, forth and back.
template <class Real>
std::set<std::vector<int>> tried_radices(index_t length, const GeneralShape& rule) {
  std::set<std::vector<int>> lists{rule.radices};
  for (int most = 2; most <= fft::most_composite<Real>(); ++most) {
    std::vector<int> radices = fft::radices_up_to(length, most);
    if (radices.size() > 1 && radices.size() <= rule.radices.size() + 1) {
      lists.insert(radices);
      std::reverse(radices.begin(), radices.end());
      lists.insert(radices);
    }
  }
  return lists;
}

/// Shapes with teams of one to three rounds through each stage, and tiles up to 24 KiB.
template <class Real>
std::vector<GeneralShape> tried_shapes(index_t length, const GeneralShape& rule) {
  std::vector<GeneralShape> shapes{rule};
  constexpr index_t largest_tile = 24576 / sizeof(Complex<Real>);
  for (const std::vector<int>& radices : tried_radices<Real>(length, rule)) {
    const index_t registers = fft::general_class<Real>(*std::max_element(radices.begin(), radices.end())).registers;
    const index_t limit = fft::most_threads_of(registers);
    if (radices.size() < 2) {
      continue;
    }
    for (index_t width = 1; width == 1 || width * length <= largest_tile; width += std::max<index_t>(1, width / 4)) {
      std::set<index_t> teams;
      for (const int radix : radices) {
        for (index_t rounds = 1; rounds <= 3; ++rounds) {
          teams.insert(fft::full_warps(ceil_div(ceil_div(width * length, static_cast<index_t>(radix)), rounds)));
        }
      }
      for (const index_t team : teams) {
        if (team <= limit && team * 32 >= width * length / 3) {
          GeneralShape shape = rule;
          shape.radices = radices;
          shape.is_in_order = false;
          shape.width = static_cast<int>(width);
          shape.team_size = static_cast<int>(team);
          shapes.push_back(shape);
        }
      }
    }
  }
  return shapes;
}

template <class Real>
class Search {
 public:
  using Value = Complex<Real>;

  Search(const Options& options, exec::Device device)
      : options_(options),
        device_(device),
        in_(device, options.bytes / static_cast<index_t>(sizeof(Value))),
        out_(device, in_.size()) {
    std::mt19937 random(1);
    std::vector<Value> numbers(std::size_t{1} << 20);
    for (Value& number : numbers) {
      number = {static_cast<Real>(random() >> 8) * Real{0x1p-23} - 1, static_cast<Real>(random() >> 8) * Real{0x1p-23} - 1};
    }
    for (index_t done = 0; done < in_.size(); done += static_cast<index_t>(numbers.size())) {
      const auto now = std::min(numbers.size(), static_cast<std::size_t>(in_.size() - done));
      in_.copy_from(std::span<const Value>(numbers).first(now), done);
    }
  }

  /// Prints the row of a length that has one.
  void run(index_t line) {
    const bool is_halved = options_.kind != Kind::c2c && line % 2 == 0;
    const index_t length = is_halved ? line / 2 : line;
    const index_t each = options_.kind == Kind::c2c ? 2 * line : 2 * (line / 2 + 1);  // real numbers, those of the spectrum
    const index_t count = 2 * in_.size() / each;
    const index_t most_width = std::max<index_t>(1, count / (2 * device_.properties().compute_units));
    const Rows rows = rows_of(line);
    const bool is_odd_real = options_.kind != Kind::c2c && !is_halved;
    GeneralShape rule =
        is_odd_real
            ? fft::odd_real_shape<Real>(length, most_width, options_.kind == Kind::r2c ? fft::OddReals::from : fft::OddReals::to)
            : fft::general_shape<Real>(length, most_width);
    if (rows.load == fft::RealEnd::direct && options_.kind == Kind::r2c && fft::reads_pairs_in_stage<Real>(length)) {
      rule.is_in_order = false;
    }
    std::vector<Trial> trials;
    for (const GeneralShape& shape : tried_shapes<Real>(length, rule)) {
      trials.push_back({shape, time_of(length, shape, rows, count, 3)});
    }
    const auto by_time = [](const Trial& a, const Trial& b) { return a.microseconds < b.microseconds; };
    std::sort(trials.begin() + 1, trials.end(), by_time);  // the first one is the rule's
    trials.resize(std::min<std::size_t>(trials.size(), 5));
    for (Trial& trial : trials) {
      trial.microseconds = time_of(length, trial.shape, rows, count, 9);
    }
    const Trial& best = *std::min_element(trials.begin(), trials.end(), by_time);
    const double own = trials.front().microseconds;
    if (best.microseconds < (1 - options_.gain) * own) {
      std::string radices;
      for (const int radix : best.shape.radices) {
        radices += (radices.empty() ? "" : "x") + std::to_string(radix);
      }
      std::printf("%lld:%d:%d:%s\t%.1f us, by the rule %.1f\n", static_cast<long long>(line), best.shape.width,
                  best.shape.team_size, radices.c_str(), best.microseconds, own);
      std::fflush(stdout);
    }
  }

 private:
  struct Trial {
    GeneralShape shape;
    double microseconds;
  };

  /// How lines lie in memory: real numbers of even lines count as pairs.
  struct Rows {
    index_t from;
    index_t to;
    fft::RealEnd load = fft::RealEnd::direct;
    fft::RealEnd store = fft::RealEnd::direct;
  };
  [[nodiscard]] Rows rows_of(index_t line) const {
    if (options_.kind == Kind::c2c) {
      return {line, line};
    }
    const bool is_even = line % 2 == 0;
    const Rows rows{is_even ? line / 2 : line, line / 2 + 1, is_even ? fft::RealEnd::direct : fft::RealEnd::reals,
                    is_even ? fft::RealEnd::half : fft::RealEnd::odd_half};
    return options_.kind == Kind::r2c ? rows : Rows{rows.to, rows.from, rows.store, rows.load};
  }

  /// Of one transform of all rows, the median of some samples of several; infinite (the largest number) where there is no room.
  double time_of(index_t length, const GeneralShape& shape, const Rows& rows, index_t count, int samples) {
    constexpr int each = 3;
    fft::PassTables<Real> tables(device_);
    const fft::GeneralRows<Real> plan = options_.kind == Kind::c2c
                                            ? tables.general_rows(length, shape, {rows.from, rows.to})
                                            : tables.general_reals(length, shape, {rows.from, rows.to}, rows.load, rows.store);
    if (plan.scratch_bytes > tables.fixed_scratch()) {
      return std::numeric_limits<double>::max();
    }
    std::vector<double> times;
    for (int sample = 0; sample <= samples; ++sample) {  // the first one does not count
      const auto start = std::chrono::steady_clock::now();
      exec::UnfinishedLaunches unfinished;
      for (int i = 0; i < each; ++i) {
        if (options_.kind == Kind::c2c) {
          fft::launch_general(device_, plan,
                              fft::RowsInMemory<Real>{in_.data(), out_.data(), count, rows.from, rows.to, false, Real{1}});
        } else {
          fft::launch_general(device_, plan,
                              fft::RealRowsInMemory<Real>{in_.data(), out_.data(), count, rows.from, rows.to, Real{1},
                                                          options_.kind == Kind::c2r});
        }
      }
      unfinished.finish();
      times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / each);
    }
    times.erase(times.begin());
    return statistics(times).median;
  }

  Options options_;
  exec::Device device_;
  exec::Buffer<Value> in_;
  exec::Buffer<Value> out_;
};

/// Prints the rows of all lengths that the general kernel does in one pass.
template <class Real>
void search_all(const Options& options, exec::Device device) {
  const auto scratch = device.properties().scratch_bytes;
  Search<Real> search(options, device);
  const bool is_real = options.kind != Kind::c2c;
  const fft::RowKind rows = !is_real                    ? fft::RowKind::complex
                            : options.kind == Kind::r2c ? fft::RowKind::from_reals
                                                        : fft::RowKind::to_reals;
  const fft::PassForm form = !is_real                    ? fft::PassForm::rows
                             : options.kind == Kind::r2c ? fft::PassForm::rows_from_real
                                                         : fft::PassForm::rows_to_real;
  for (index_t length = options.least; length <= options.most; ++length) {
    const index_t elements = is_real && length % 2 == 0 ? length / 2 : length;
    const bool has_kernel = !fft::fixed_radices<Real>(form, elements, scratch).empty();
    const bool is_in_registers = fft::register_row_class<Real>(rows, length) >= 0;
    if (fft::is_smooth(elements) && !has_kernel && !is_in_registers &&
        2 * static_cast<std::size_t>(elements) * sizeof(Complex<Real>) <= scratch) {
      search.run(length);
    }
  }
}

}  // namespace
}  // namespace phpc::bench

int main(int argc, char** argv) {
  try {
    using namespace phpc;
    const bench::Options options = bench::options_of(argc, argv);
    const exec::Device device = exec::select_device("auto");
    PHPC_VALIDATE(device.is_gpu(), ErrorKind::usage, "this is about the kernels of GPUs");
    options.is_double ? bench::search_all<double>(options, device) : bench::search_all<float>(options, device);
    exec::exit_process(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "find_fft_shapes: %s\n", error.what());
    return 1;
  }
}
