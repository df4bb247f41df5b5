#include "measure/fftw_peer.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "phpc/core/error.hpp"

namespace phpc::bench {

namespace {

// From FFTW's manual, "Using plans" and "Planner flags".
constexpr int sign_forward = -1;
constexpr int sign_backward = 1;
constexpr unsigned flag_measure = 0;
constexpr unsigned flag_estimate = 1U << 6;

}  // namespace

template <class Real>
struct FftwPeer<Real>::Library {
  using Number = Complex<Real>;
  using Plan = void*;
  Plan (*plan_many_dft)(int rank, const int* n, int howmany, Number* in, const int* inembed, int istride, int idist, Number* out,
                        const int* onembed, int ostride, int odist, int sign, unsigned flags) = nullptr;
  void (*execute)(Plan) = nullptr;
  void (*destroy_plan)(Plan) = nullptr;
  void* (*malloc)(std::size_t) = nullptr;
  void (*free)(void*) = nullptr;
};

template <class Real>
FftwPeer<Real>::FftwPeer() {
  const std::string prefix = std::is_same_v<Real, float> ? "fftwf_" : "fftw_";
  void* const handle = dlopen(std::is_same_v<Real, float> ? "libfftw3f.so.3" : "libfftw3.so.3", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return;
  }
  auto library = std::make_unique<Library>();
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, (prefix + name).c_str()));
    return function != nullptr;
  };
  const bool complete = find(library->plan_many_dft, "plan_many_dft") && find(library->execute, "execute") &&
                        find(library->destroy_plan, "destroy_plan") && find(library->malloc, "malloc") &&
                        find(library->free, "free");
  if (complete) {
    library_ = std::move(library);
  }
}

template <class Real>
FftwPeer<Real>::~FftwPeer() = default;

template <class Real>
typename FftwPeer<Real>::Result FftwPeer<Real>::run(const std::vector<Complex<Real>>& x, index_t batch, int iterations) const {
  using Number = Complex<Real>;
  const auto count = static_cast<index_t>(x.size());
  constexpr index_t most = std::numeric_limits<int>::max();
  if (count > most / batch) {
    return {};  // its interface counts in int
  }
  const std::size_t total = x.size() * static_cast<std::size_t>(batch);
  const auto allocate = [&] {
    void* const memory = library_->malloc(total * sizeof(Number));
    PHPC_VALIDATE(memory != nullptr, ErrorKind::memory,
                  "no memory for FFTW's arrays (its allocation failed); give smaller lengths");
    return std::unique_ptr<Number[], void (*)(void*)>(static_cast<Number*>(memory), library_->free);
  };
  const auto in = allocate();
  const auto spectrum = allocate();
  const auto back = allocate();
  const int n = static_cast<int>(count);
  const auto plan = [&](Number* from, Number* to, int sign) {
    const unsigned flags = total <= (std::size_t{1} << 20) ? flag_measure : flag_estimate;
    return library_->plan_many_dft(1, &n, static_cast<int>(batch), from, nullptr, 1, n, to, nullptr, 1, n, sign, flags);
  };
  const std::unique_ptr<void, void (*)(void*)> forward(plan(in.get(), spectrum.get(), sign_forward), library_->destroy_plan);
  const std::unique_ptr<void, void (*)(void*)> inverse(plan(spectrum.get(), back.get(), sign_backward), library_->destroy_plan);
  for (index_t copy = 0; copy < batch; ++copy) {  // planning wrote into the arrays
    std::copy(x.begin(), x.end(), in.get() + copy * count);
  }
  Result result;
  for (int iteration = -1; iteration < iterations; ++iteration) {
    const auto start = std::chrono::steady_clock::now();
    library_->execute(forward.get());
    library_->execute(inverse.get());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (iteration >= 0) {
      result.seconds.push_back(seconds.count());
    }
  }
  for (const Number value : std::span(spectrum.get(), x.size())) {
    result.spectrum.push_back({static_cast<double>(value.re), static_cast<double>(value.im)});
  }
  return result;
}

template class FftwPeer<float>;
template class FftwPeer<double>;

}  // namespace phpc::bench
