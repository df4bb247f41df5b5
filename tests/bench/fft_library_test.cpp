#include "measure/fft_library.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <random>

#include "phpc/core/error.hpp"
#include "support/dft_oracle.hpp"

namespace phpc::bench {
namespace {

using Kind = FftProblem::Kind;

/// The names of the libraries that are to be tried: those that are found. The tests' own stand for those of GPUs.
std::vector<std::pair<std::string, FftLibrarySearch>> found_libraries(bool is_double) {
  std::vector<std::pair<std::string, FftLibrarySearch>> found;
  for (const char* const kind : {"host", "nvidia", "amd"}) {
    FftLibrarySearch search = find_fft_library(kind, is_double);
    EXPECT_EQ(search.library == nullptr, !search.why_none.empty()) << kind;
    if (search.library != nullptr) {
      found.emplace_back(kind, std::move(search));
    }
  }
  return found;
}

bool has_stand_ins() {
  return std::getenv("PHPC_GPU_FFT_STAND_INS") != nullptr;
}

/// The transform of one line of numbers; real ones have imaginary parts of 0, a half spectrum is taken for the whole of which it
/// is half.
template <class Real>
std::vector<test::Wide> expected_line(const FftProblem& problem, std::vector<test::Wide> line) {
  const index_t n = problem.lengths[0];
  if (problem.kind == Kind::complex_to_real) {
    for (index_t k = n / 2 + 1; k < n; ++k) {
      line[static_cast<std::size_t>(k)] = conj(line[static_cast<std::size_t>(n - k)]);
    }
    line[0].im = 0;
    if (n % 2 == 0) {
      line[static_cast<std::size_t>(n / 2)].im = 0;
    }
  }
  const bool is_inverse =
      problem.kind == Kind::complex_to_real || (problem.kind == Kind::complex_to_complex && problem.is_inverse);
  return test::dft(line, is_inverse ? fft::Direction::inverse : fft::Direction::forward);
}

/// Transforms random numbers and compares each line with its definition.
template <class Real>
void check(const FftLibrary& library, const FftProblem& problem, unsigned seed) {
  const index_t n = problem.lengths[0];
  const index_t half = n / 2 + 1;
  const bool is_from_real = problem.kind == Kind::real_to_complex;
  const bool is_to_real = problem.kind == Kind::complex_to_real;
  const index_t in_line = is_to_real ? half : n;
  const index_t out_line = is_from_real ? half : n;
  const auto place = [&](index_t line, index_t element, index_t of_line) {
    return problem.are_columns ? element * problem.batch + line : line * of_line + element;
  };
  std::vector<Complex<Real>> in(static_cast<std::size_t>(n * problem.batch));
  std::vector<Complex<Real>> out(in.size(), Complex<Real>{-9, -9});
  const std::unique_ptr<FftLibraryPlan> plan = library.plan(problem, in.data(), out.data());

  const std::vector<Complex<Real>> numbers = test::random_signal<Real>(n * problem.batch, seed);
  std::vector<std::vector<test::Wide>> lines(static_cast<std::size_t>(problem.batch));
  for (index_t line = 0; line < problem.batch; ++line) {
    std::vector<test::Wide>& wide = lines[static_cast<std::size_t>(line)];
    wide.resize(static_cast<std::size_t>(n));
    for (index_t j = 0; j < in_line; ++j) {
      Complex<Real> value = numbers[static_cast<std::size_t>(line * n + j)];
      if (is_from_real || (is_to_real && (j == 0 || 2 * j == n))) {
        value.im = 0;
      }
      const auto at = static_cast<std::size_t>(place(line, j, in_line));
      is_from_real ? static_cast<void>(reinterpret_cast<Real*>(in.data())[at] = value.re) : static_cast<void>(in[at] = value);
      wide[static_cast<std::size_t>(j)] = {value.re, value.im};
    }
  }
  plan->start();
  plan->wait();
  test::RelativeError error;
  for (index_t line = 0; line < problem.batch; ++line) {
    const std::vector<test::Wide> expected = expected_line<Real>(problem, lines[static_cast<std::size_t>(line)]);
    for (index_t k = 0; k < out_line; ++k) {
      const auto at = static_cast<std::size_t>(place(line, k, out_line));
      const Complex<Real> got = is_to_real ? Complex<Real>{reinterpret_cast<Real*>(out.data())[at], 0} : out[at];
      error.add(got, {expected[static_cast<std::size_t>(k)].re, is_to_real ? 0 : expected[static_cast<std::size_t>(k)].im});
    }
  }
  EXPECT_LT(error.value(), 4 * test::tolerance<Real>(n)) << library.name() << ", kind " << static_cast<int>(problem.kind) << ", "
                                                         << n << " x " << problem.batch << ", seed " << seed;
}

template <class Real>
void check_all() {
  const bool is_double = sizeof(Real) == sizeof(double);
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  for (const auto& [kind, search] : found_libraries(is_double)) {
    for (int round = 0; round < 12; ++round) {
      FftProblem problem{.lengths = {1 + static_cast<index_t>(random() % 70)},
                         .batch = 1 + static_cast<index_t>(random() % 5),
                         .kind = std::array{Kind::complex_to_complex, Kind::real_to_complex, Kind::complex_to_real}[random() % 3],
                         .is_double = is_double,
                         .is_inverse = random() % 2 == 1};
      problem.are_columns = problem.kind == Kind::complex_to_complex && random() % 2 == 1;
      check<Real>(*search.library, problem, seed + static_cast<unsigned>(round));
    }
  }
}

TEST(FftLibraries, TransformAsTheDefinitionSays) {
  check_all<float>();
  check_all<double>();
}

TEST(FftLibraries, AreFoundByTheKindOfDevice) {
  const std::map<std::string, std::string> names = {{"host", "FFTW"}, {"nvidia", "cuFFT"}, {"amd", "hipFFT"}};
  for (const auto& [kind, search] : found_libraries(false)) {
    EXPECT_EQ(search.library->name(), names.at(kind));
    EXPECT_FALSE(search.library->version().empty());
  }
  if (has_stand_ins()) {
    for (const FftLibrarySearch& search : {find_cufft(), find_hipfft()}) {
      ASSERT_NE(search.library, nullptr) << search.why_none;
      EXPECT_EQ(search.library->version(), "12.1.4");
    }
  }
}

TEST(FftLibraries, LaunchByTheVendorsOwnMeans) {
  for (const auto& [kind, search] : found_libraries(true)) {
    EXPECT_EQ(search.library->launch(), kind != "amd") << kind;
  }
}

TEST(FftLibraries, SayWhatTheyCannot) {
  std::vector<Complex<float>> numbers(8);
  for (const auto& [kind, search] : found_libraries(false)) {
    if (kind != "host") {
      EXPECT_THROW(static_cast<void>(search.library->plan({.lengths = {1000001}}, numbers.data(), numbers.data() + 4)), Error)
          << kind;
      EXPECT_THROW(static_cast<void>(search.library->plan({.lengths = {4}}, nullptr, numbers.data())), Error) << kind;
    } else {
      EXPECT_THROW(static_cast<void>(search.library->plan({.lengths = {index_t{1} << 32}}, numbers.data(), numbers.data())),
                   Error);
    }
  }
}

}  // namespace
}  // namespace phpc::bench
