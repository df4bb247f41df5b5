#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <numeric>

#include "measure/fft_library.hpp"
#include "measure/shared_library.hpp"
#include "phpc/core/error.hpp"

namespace phpc::bench {

namespace {

// From FFTW's manual, "Complex DFTs" and "Planner flags".
constexpr int sign_forward = -1;
constexpr int sign_backward = 1;
constexpr unsigned flag_measure = 0;
constexpr unsigned flag_estimate = 1U << 6;
constexpr std::size_t most_measured = std::size_t{1} << 20;

using Plan = void*;
template <class... More>
using PlanMany = Plan (*)(int rank, const int* n, int howmany, void* in, const int* inembed, int istride, int idist, void* out,
                          const int* onembed, int ostride, int odist, More... more);

/// FFTW's functions of one precision, by the signatures of its manual.
struct Functions {
  PlanMany<int, unsigned> complex = nullptr;
  PlanMany<unsigned> to_complex = nullptr;
  PlanMany<unsigned> to_real = nullptr;
  void (*execute)(Plan) = nullptr;
  void (*destroy)(Plan) = nullptr;
  int (*start_threads)() = nullptr;    ///< null without the library of threads
  void (*set_threads)(int) = nullptr;  ///< the same
  const char* version_text = nullptr;
};

class FftwPlan final : public FftLibraryPlan {
 public:
  FftwPlan(const Functions& functions, Plan plan) : functions_(functions), plan_(plan) {}
  ~FftwPlan() override { functions_.destroy(plan_); }
  FftwPlan(const FftwPlan&) = delete;
  FftwPlan& operator=(const FftwPlan&) = delete;

  void start() const override { functions_.execute(plan_); }
  void wait() const override {}

 private:
  const Functions& functions_;
  Plan plan_;
};

class Fftw final : public FftLibrary {
 public:
  Fftw(const Functions& functions, const FftwUse& use) : functions_(functions), use_(use) {
    if (use.threads > 1 && functions_.start_threads() == 0) {
      throw Error(ErrorKind::device, "FFTW cannot start its threads");
    }
    if (functions_.set_threads != nullptr) {
      functions_.set_threads(use.threads);
    }
    one_ = plan({.lengths = {1}, .is_double = use.is_double}, one_element_, one_element_ + 1);
  }

  [[nodiscard]] std::string name() const override { return "FFTW"; }

  [[nodiscard]] std::string version() const override {
    // "fftw-3.3.10-sse2-avx", and some more.
    const std::string text = functions_.version_text == nullptr ? "" : functions_.version_text;
    const std::size_t begin = text.find('-');
    return begin == std::string::npos ? text : text.substr(begin + 1, text.find('-', begin + 1) - begin - 1);
  }

  [[nodiscard]] std::unique_ptr<FftLibraryPlan> plan(const FftProblem& problem, void* in, void* out) const override {
    constexpr index_t most = std::numeric_limits<int>::max();
    const index_t elements = std::accumulate(problem.lengths.begin(), problem.lengths.end(), index_t{1}, std::multiplies<>());
    PHPC_VALIDATE(elements <= most / problem.batch && problem.is_double == use_.is_double, ErrorKind::usage,
                  fmt::format("FFTW counts elements in 31 bits, and {} transforms of {} have more", problem.batch, elements));
    const std::vector<int> lengths(problem.lengths.begin(), problem.lengths.end());
    const int rank = static_cast<int>(lengths.size());
    const int batch = static_cast<int>(problem.batch);
    const int stride = problem.are_columns ? batch : 1;
    const index_t half = elements / problem.lengths.back() * (problem.lengths.back() / 2 + 1);
    const auto distance = [&](bool is_half) { return problem.are_columns ? 1 : static_cast<int>(is_half ? half : elements); };
    const bool is_estimate = !use_.measures_always && static_cast<std::size_t>(elements * problem.batch) > most_measured;
    const unsigned flags = is_estimate ? flag_estimate : flag_measure;
    const auto make = [&](auto function, bool is_half_in, bool is_half_out, auto... more) {
      return function(rank, lengths.data(), batch, in, nullptr, stride, distance(is_half_in), out, nullptr, stride,
                      distance(is_half_out), more...);
    };
    Plan made = nullptr;
    switch (problem.kind) {
      case FftProblem::Kind::complex_to_complex:
        made = make(functions_.complex, false, false, problem.is_inverse ? sign_backward : sign_forward, flags);
        break;
      case FftProblem::Kind::real_to_complex:
        made = make(functions_.to_complex, false, true, flags);
        break;
      case FftProblem::Kind::complex_to_real:
        made = make(functions_.to_real, true, false, flags);
        break;
    }
    PHPC_VALIDATE(made != nullptr, ErrorKind::memory,
                  fmt::format("FFTW makes no plan for {} transforms of {} elements", problem.batch, elements));
    return std::make_unique<FftwPlan>(functions_, made);
  }

  bool launch() const override {
    one_->start();
    return true;
  }

 private:
  Functions functions_;
  FftwUse use_;
  mutable Complex<double> one_element_[2] = {};  // in and out of the shortest transform, of either precision
  std::unique_ptr<FftLibraryPlan> one_;
};

}  // namespace

FftLibrarySearch find_fftw(const FftwUse& use) {
  const std::string letter = use.is_double ? "" : "f";
  const std::string file = "libfftw3" + letter;
  const SharedLibrary library({file + ".so.3"}, {});
  if (!library.is_loaded()) {
    return {nullptr, fmt::format("FFTW was not found ({}.so.3; Debian: {})", file,
                                 use.is_double ? "libfftw3-double3" : "libfftw3-single3")};
  }
  const std::string prefix = "fftw" + letter + "_";
  Functions functions;
  const bool is_complete = library.load(functions.complex, prefix + "plan_many_dft") &&
                           library.load(functions.to_complex, prefix + "plan_many_dft_r2c") &&
                           library.load(functions.to_real, prefix + "plan_many_dft_c2r") &&
                           library.load(functions.execute, prefix + "execute") &&
                           library.load(functions.destroy, prefix + "destroy_plan");
  if (!is_complete) {
    return {nullptr, fmt::format("{}.so.3 lacks functions of FFTW 3", file)};
  }
  functions.version_text = static_cast<const char*>(library.find(prefix + "version"));
  if (use.threads > 1) {
    const SharedLibrary threads({file + "_omp.so.3", file + "_threads.so.3"}, {});
    if (!threads.load(functions.start_threads, prefix + "init_threads") ||
        !threads.load(functions.set_threads, prefix + "plan_with_nthreads")) {
      return {nullptr, fmt::format("FFTW was found without threads ({0}_omp.so.3, {0}_threads.so.3)", file)};
    }
  }
  return {std::make_unique<Fftw>(functions, use), ""};
}

FftLibrarySearch find_fft_library(std::string_view device_kind, bool is_double) {
  return device_kind == "nvidia" ? find_cufft() : device_kind == "amd" ? find_hipfft() : find_fftw({.is_double = is_double});
}

}  // namespace phpc::bench
