// Transforms of many lengths beside those of the GPU vendor's library (cuFFT, hipFFT), in one run and on the same arrays: a table
// of tab-separated values, whose last line sums up the ratios, the library's time through ours. Lengths come from a list or are
// drawn: smooth ones, evenly on the scale of logarithms, or with `--any 1` all integers alike. Kinds: c2c, r2c, c2r; columns
// (side by side in memory); planar (real and imaginary parts in arrays of their own, the library's interleaved); planes and
// cubes, each side of which is drawn.
//   compare_fft_lengths --draw 200 --seed 1 --precision f32 --kind c2c
//   compare_fft_lengths --lengths 343,1000,2401 --kind columns
//   compare_fft_lengths --lengths 10x8,1000x1000 --kind planes
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "library_problem.hpp"
#include "measure/statistics.hpp"
#include "option_values.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/unfinished_launches.hpp"
#include "phpc/fft/plan.hpp"

namespace phpc::bench {
namespace {

using Shape = std::vector<index_t>;

struct Options {
  std::vector<Shape> shapes{};
  index_t draw = 0;
  std::uint64_t seed = 1;
  bool any = false;  ///< not only smooth lengths
  index_t least = 8;
  index_t most = 0;                    ///< 0: 2^20, of planes and cubes 512
  index_t bytes = index_t{256} << 20;  ///< of the complex or real array that goes in
  std::string precision = "f32";
  std::string kind = "c2c";
  int samples = 9;  ///< the median of these counts
  int each = 4;     ///< transforms of a sample, one after another without a wait
};

/// A list in words or in a file: numbers joined by x are a shape, anything else separates.
std::vector<Shape> shapes_of(const std::string& given) {
  std::string text = given;
  if (std::ifstream file(given); file) {
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::replace_if(text.begin(), text.end(), [](char c) { return c != 'x' && (c < '0' || c > '9'); }, ' ');
  std::istringstream words(text);
  std::vector<Shape> shapes;
  for (std::string word; words >> word;) {
    std::replace(word.begin(), word.end(), 'x', ' ');
    std::istringstream numbers(word);
    shapes.emplace_back();
    for (index_t number = 0; numbers >> number;) {
      shapes.back().push_back(number);
    }
  }
  return shapes;
}

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    PHPC_VALIDATE(i + 1 < argc, ErrorKind::usage, "option " + name + " needs a value");
    const std::string value = argv[i + 1];
    if (name == "--lengths") {
      options.shapes = shapes_of(value);
    } else if (name == "--draw") {
      options.draw = integer_of(name, value);
    } else if (name == "--seed") {
      options.seed = static_cast<std::uint64_t>(integer_of(name, value));
    } else if (name == "--any") {
      options.any = value != "0";
    } else if (name == "--least") {
      options.least = integer_of(name, value);
    } else if (name == "--most") {
      options.most = integer_of(name, value);
    } else if (name == "--bytes") {
      options.bytes = integer_of(name, value);
    } else if (name == "--precision") {
      options.precision = value;
    } else if (name == "--kind") {
      options.kind = value;
    } else if (name == "--samples") {
      options.samples = static_cast<int>(integer_of(name, value));
    } else {
      fail(ErrorKind::usage, "there is no option " + name);
    }
  }
  const std::set<std::string> kinds{"c2c", "r2c", "c2r", "columns", "planar", "planes", "cubes"};
  PHPC_VALIDATE(kinds.count(options.kind) == 1, ErrorKind::usage,
                "--kind is one of c2c, r2c, c2r, columns, planar, planes, cubes");
  PHPC_VALIDATE(options.precision == "f32" || options.precision == "f64", ErrorKind::usage, "--precision is f32 or f64");
  return options;
}

std::size_t axes_of(const Options& options) {
  return options.kind == "planes" ? 2 : options.kind == "cubes" ? 3 : 1;
}

/// Evenly on the scale of logarithms, and the next smooth one from there; or any.
index_t drawn_length(const Options& options, std::mt19937_64& random) {
  const index_t most = options.most > 0 ? options.most : axes_of(options) > 1 ? 512 : index_t{1} << 20;
  for (;;) {
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    const double least = static_cast<double>(options.least);
    if (options.any) {
      return options.least + static_cast<index_t>(share * static_cast<double>(most - options.least + 1));
    }
    const index_t length = fft::fft_good_length(static_cast<index_t>(least * std::pow(static_cast<double>(most) / least, share)));
    if (length <= most) {
      return length;
    }
  }
}

/// Distinct ones.
std::vector<Shape> drawn_shapes(const Options& options) {
  std::mt19937_64 random(options.seed);
  std::set<Shape> shapes;
  for (int tries = 0; static_cast<index_t>(shapes.size()) < options.draw && tries < 100 * options.draw; ++tries) {
    Shape shape;
    while (shape.size() < axes_of(options)) {
      shape.push_back(drawn_length(options, random));
    }
    shapes.insert(shape);
  }
  return {shapes.begin(), shapes.end()};
}

template <class Work>
double microseconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

template <class Real>
class Comparison {
 public:
  Comparison(const Options& options, exec::Device device, const FftLibrary& library)
      : options_(options),
        device_(device),
        library_(library),
        in_(device, 2 * complex_count(options)),
        out_(device, 2 * complex_count(options)) {
    std::mt19937 random(1);
    std::vector<Value> numbers(std::size_t{1} << 20);
    for (Value& number : numbers) {
      number = {draw(random), draw(random)};
    }
    fill(in_, numbers, 0, in_.size());
    if (options.kind == "planar") {
      planar_in_ = exec::Buffer<Real>(device, 2 * in_.size());
      std::vector<Real> parts(numbers.size());
      std::transform(numbers.begin(), numbers.end(), parts.begin(), [](Value number) { return number.re; });
      fill(planar_in_, parts, 0, in_.size());
      std::transform(numbers.begin(), numbers.end(), parts.begin(), [](Value number) { return number.im; });
      fill(planar_in_, parts, in_.size(), in_.size());
    }
  }

  /// Prints a line; returns the ratio.
  double run(const Shape& shape) {
    const fft::Descriptor problem = problem_of(shape);
    const fft::Plan plan(problem, device_);
    const auto peer = library_.plan(library_problem(problem, options_.kind == "columns"), in_.data(), out_.data());
    if (options_.kind == "c2r") {
      make_spectra(problem);
    }
    ours(plan);
    const std::vector<Value> result = options_.kind == "planar" ? ends_of_planar_result(problem) : ends_of_result(problem);
    peer->start();
    peer->wait();
    const double error = difference(result, ends_of_result(problem));
    std::vector<double> own;
    std::vector<double> other;
    for (int sample = 0; sample < options_.samples; ++sample) {
      own.push_back(microseconds_of([&] {
        exec::UnfinishedLaunches unfinished;
        for (int i = 0; i < options_.each; ++i) {
          ours(plan);
        }
        unfinished.finish();
      }));
      other.push_back(microseconds_of([&] {
        for (int i = 0; i < options_.each; ++i) {
          peer->start();
        }
        peer->wait();
      }));
    }
    const double ratio = statistics(other).median / statistics(own).median;
    std::string name;
    for (const index_t length : shape) {
      name += (name.empty() ? "" : "x") + std::to_string(length);
    }
    std::printf("%s\t%lld\t%.1f\t%.1f\t%.3f\t%.1e\t%s\n", name.c_str(), static_cast<long long>(problem.batch),
                statistics(own).median / options_.each, statistics(other).median / options_.each, ratio, error,
                one_line(plan.describe()).c_str());
    std::fflush(stdout);
    return ratio;
  }

 private:
  using Value = Complex<Real>;
  static constexpr index_t compared = index_t{1} << 16;  ///< elements at each end of a result

  /// Elements of a batch, or of one of the shapes where that is more.
  static index_t complex_count(const Options& options) {
    index_t count = options.bytes / static_cast<index_t>(sizeof(Value));
    for (const Shape& shape : options.shapes) {
      count = std::max(count, fft::Descriptor{.lengths = shape}.elements());
    }
    return count;
  }
  static Real draw(std::mt19937& random) { return static_cast<Real>(random() >> 8) / static_cast<Real>(1 << 23) - 1; }
  static std::string one_line(std::string text) {
    std::replace_if(text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
    return text;
  }

  /// Puts the numbers, again and again, into `count` elements of an array.
  template <class Number>
  static void fill(exec::Buffer<Number>& array, const std::vector<Number>& numbers, index_t begin, index_t count) {
    for (index_t done = 0; done < count; done += static_cast<index_t>(numbers.size())) {
      const auto now = std::min(numbers.size(), static_cast<std::size_t>(count - done));
      array.copy_from(std::span<const Number>(numbers).first(now), begin + done);
    }
  }

  [[nodiscard]] fft::Descriptor problem_of(const Shape& shape) const {
    fft::Descriptor problem{.lengths = shape};
    const bool is_real = options_.kind == "r2c" || options_.kind == "c2r";
    const auto each = static_cast<index_t>(is_real ? sizeof(Real) : sizeof(Value));
    problem.batch = std::max<index_t>(1, options_.bytes / (problem.elements() * each));
    problem.precision = sizeof(Real) == sizeof(float) ? fft::Precision::f32 : fft::Precision::f64;
    if (options_.kind == "r2c") {
      problem.kind = fft::Kind::real_to_complex;
    } else if (options_.kind == "c2r") {
      problem.kind = fft::Kind::complex_to_real;
      problem.direction = fft::Direction::inverse;
    } else if (options_.kind == "planar") {
      problem.in.storage = fft::Storage::planar;
      problem.out.storage = fft::Storage::planar;
    } else if (options_.kind == "columns") {
      problem.in.strides = {problem.batch};
      problem.in.distance = 1;
      problem.out = problem.in;
    }
    return problem;
  }

  /// Sets the imaginary parts to zero that spectra of real lines do not have, in the lines that are compared: for lengths that
  /// are powers of two cuFFT takes what stands there for numbers.
  void make_spectra(const fft::Descriptor& problem) {
    const index_t length = problem.lengths[0];
    const index_t half = length / 2 + 1;
    const index_t lines = std::min<index_t>(problem.batch, compared / std::max<index_t>(1, length / 2) + 2);
    std::vector<Value> spectra(static_cast<std::size_t>(lines * half));
    for (const index_t first : {index_t{0}, problem.batch - lines}) {
      in_.copy_to(spectra, first * half);
      for (index_t line = 0; line < lines; ++line) {
        spectra[static_cast<std::size_t>(line * half)].im = 0;
        if (length % 2 == 0) {
          spectra[static_cast<std::size_t>(line * half + half - 1)].im = 0;
        }
      }
      in_.copy_from(std::span<const Value>(spectra), first * half);
    }
  }

  void ours(const fft::Plan& plan) {
    const auto* const real_in = reinterpret_cast<const Real*>(in_.data());
    auto* const real_out = reinterpret_cast<Real*>(out_.data());
    if (options_.kind == "r2c") {
      plan.execute(real_in, out_.data());
    } else if (options_.kind == "c2r") {
      plan.execute(in_.data(), real_out);
    } else if (options_.kind == "planar") {
      plan.execute({planar_in_.data(), planar_in_.data() + in_.size()}, {real_out, real_out + out_.size()});
    } else {
      plan.execute(in_.data(), out_.data());
    }
  }

  /// The first and the last 2^16 elements of the result, counted as complex numbers.
  [[nodiscard]] std::vector<Value> ends_of_result(const fft::Descriptor& problem) const {
    index_t each = options_.kind == "c2r" ? problem.lengths[0] / 2 : problem.out_lengths()[0];
    for (std::size_t axis = 1; axis < problem.lengths.size(); ++axis) {
      each *= problem.lengths[axis];
    }
    const index_t all = each * problem.batch;
    const index_t part = std::min(all, compared);
    std::vector<Value> values(static_cast<std::size_t>(2 * part));
    out_.copy_to(std::span<Value>(values).first(static_cast<std::size_t>(part)), 0);
    out_.copy_to(std::span<Value>(values).last(static_cast<std::size_t>(part)), all - part);
    return values;
  }

  /// The same of real and imaginary parts in arrays of their own.
  [[nodiscard]] std::vector<Value> ends_of_planar_result(const fft::Descriptor& problem) const {
    const index_t all = problem.elements() * problem.batch;
    const index_t part = std::min(all, compared);
    std::vector<Value> values(static_cast<std::size_t>(2 * part));
    std::vector<Value> parts(static_cast<std::size_t>(part / 2 + 1));
    const auto* const reals = reinterpret_cast<const Real*>(parts.data());
    const std::array<index_t, 2> begins{0, all - part};
    for (std::size_t end = 0; end < 2; ++end) {
      for (const bool is_imaginary : {false, true}) {
        // A pair of real numbers at a time, from the pair that holds the first one.
        const index_t begin = begins[end] + (is_imaginary ? out_.size() : 0);
        const index_t pairs = std::min<index_t>(part / 2 + 1, out_.size() - begin / 2);
        out_.copy_to(std::span<Value>(parts).first(static_cast<std::size_t>(pairs)), begin / 2);
        for (index_t i = 0; i < part; ++i) {
          Value& value = values[end * static_cast<std::size_t>(part) + static_cast<std::size_t>(i)];
          (is_imaginary ? value.im : value.re) = reals[begin % 2 + i];
        }
      }
    }
    return values;
  }

  /// Of all elements together, relative to the second ones.
  static double difference(const std::vector<Value>& values, const std::vector<Value>& expected) {
    double error = 0;
    double norm = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      error += std::pow(values[i].re - expected[i].re, 2) + std::pow(values[i].im - expected[i].im, 2);
      norm += std::pow(expected[i].re, 2) + std::pow(expected[i].im, 2);
    }
    return std::sqrt(error / norm);
  }

  Options options_;
  exec::Device device_;
  const FftLibrary& library_;
  exec::Buffer<Value> in_;
  exec::Buffer<Value> out_;
  exec::Buffer<Real> planar_in_;
};

template <class Real>
void compare(const Options& options, exec::Device device, const FftLibrary& library) {
  Comparison<Real> comparison(options, device, library);
  std::printf("length\tbatch\tus\tvendor_us\tratio\terror\tplan\n");
  std::vector<double> ratios;
  for (const Shape& shape : options.shapes) {
    ratios.push_back(comparison.run(shape));
  }
  std::sort(ratios.begin(), ratios.end());
  if (!ratios.empty()) {
    std::printf("# %s %s, %zu lengths: median %.3f, 5 %% %.3f, least %.3f\n", options.precision.c_str(), options.kind.c_str(),
                ratios.size(), ratios[ratios.size() / 2], ratios[ratios.size() / 20], ratios.front());
  }
}

}  // namespace
}  // namespace phpc::bench

int main(int argc, char** argv) {
  try {
    using namespace phpc;
    bench::Options options = bench::options_of(argc, argv);
    if (options.draw > 0) {
      options.shapes = bench::drawn_shapes(options);
    }
    const exec::Device device = exec::select_device("auto");
    const bench::FftLibrarySearch vendor = bench::find_vendor_library(device);
    PHPC_VALIDATE(vendor.library != nullptr, ErrorKind::usage, "there is nothing to compare with: " + vendor.why_none);
    options.precision == "f32" ? bench::compare<float>(options, device, *vendor.library)
                               : bench::compare<double>(options, device, *vendor.library);
    exec::exit_process(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compare_fft_lengths: %s\n", error.what());
    return 1;
  }
}
