#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/session/session.hpp"
#include "measure/agreement.hpp"
#include "measure/fft_library.hpp"
#include "measure/statistics.hpp"

namespace phpc::cli {

/// What `fft --bench` takes beside the shared options.
struct FftBenchOptions {
  std::string lengths = "8,16,32,64,128,256,512,1024,2048";
  std::string precision = "f32";
  int iterations = 1000;
  index_t batch = 1;
  bool histogram = false;
  bool with_host = false;  ///< after the other devices
  std::string spectra;     ///< a table of the spectra by frequency; empty = none
};

/// What a library made of one length on one device: pairs of a forward and an inverse transform of f(x) = x, out of place in the
/// device's memory. Times in microseconds.
struct BenchResult {
  std::string device;   ///< its label
  std::string library;  ///< "portable-hpc", "FFTW", "cuFFT" or "hipFFT"
  index_t length = 0;
  double warm_up = 0;          ///< the pair that is not counted: the first one
  std::vector<double> totals;  ///< of each pair, host clock from before the first to after the second, both waited for
  bench::Statistics total;
  /// Of two empty kernels by the library's own launch (on processors: two transforms of one element), each waited for, between
  /// the pairs; nothing where the library has no such thing.
  std::optional<bench::Statistics> launch;
  double relative_error = 0;    ///< of the forward transform against the long double reference
  double round_trip_error = 0;  ///< of the pair against its input
  bench::ChiSquared agreement;  ///< of the spectrum with the reference's
  struct Difference {
    double relative = 0;          ///< of our spectrum from the library's
    bench::ChiSquared agreement;  ///< of our spectrum with the library's
  };
  std::optional<Difference> from_ours;    ///< nothing for our own results
  std::vector<Complex<double>> spectrum;  ///< of the first transform of the batch; empty where no spectra are asked for
  std::vector<Complex<double>> exact;     ///< the reference transform of the same
};

/// Throws Error(memory) where run_bench() would take more than is free.
void validate_bench_memory(exec::Device device, index_t length, const FftBenchOptions& options);

/// The experiment of the SYCL-FFT paper (Pascuzzi and Goli, IWOCL 2022) for one length: our transforms and, where `library` is
/// not null, its transforms, in turn; on the host and on GPUs on the same arrays. Ours come first. Throws Error.
std::vector<BenchResult> run_bench(exec::Device device, index_t length, const FftBenchOptions& options,
                                   const bench::FftLibrary* library);

/// All devices, one after another, and all lengths: a table to `output` ("-": standard output), a picture to `plot` where it is
/// not empty, text histograms to standard error where asked for. Returns the exit code.
int bench_fft(Session& session, const FftBenchOptions& options, const std::string& output, const std::string& plot);

}  // namespace phpc::cli
