#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/session/session.hpp"
#include "measure/agreement.hpp"
#include "measure/statistics.hpp"

namespace phpc::cli {

/// What `fft --bench` takes beside the shared options.
struct FftBenchOptions {
  std::string lengths = "8,16,32,64,128,256,512,1024,2048";
  std::string precision = "f32";
  int iterations = 1000;
  index_t batch = 1;
  bool histogram = false;
};

/// One length: pairs of a forward and an inverse transform of f(x) = x, out of place in the device's memory. Times in
/// microseconds.
struct BenchResult {
  index_t length = 0;
  double warm_up = 0;          ///< the pair that is not counted: the first one
  std::vector<double> totals;  ///< of each pair, host clock from before the first to after the second, both waited for
  bench::Statistics total;
  bench::Statistics launch;     ///< of two empty kernels (host: transforms of one element), each waited for, between the pairs
  double relative_error = 0;    ///< of the forward transform against the long double reference
  double round_trip_error = 0;  ///< of the pair against its input
  bench::ChiSquared agreement;  ///< with the reference
  struct Peer {
    bench::Statistics total;
    double relative_error = 0;    ///< of FFTW against the reference
    double difference = 0;        ///< of our spectrum from FFTW's, relative
    bench::ChiSquared agreement;  ///< of our spectrum with FFTW's
  };
  std::optional<Peer> fftw;
};

/// Throws Error(memory) where run_bench() would take more than is free.
void validate_bench_memory(exec::Device device, index_t length, const FftBenchOptions& options);

/// The experiment of the SYCL-FFT paper (Pascuzzi and Goli, IWOCL 2022) for one length.
BenchResult run_bench(exec::Device device, index_t length, const FftBenchOptions& options);

/// All lengths: a table to `output` ("-": standard output), a picture to `plot` where it is not empty, text histograms to
/// standard error where asked for. Returns the exit code.
int bench_fft(Session& session, const FftBenchOptions& options, const std::string& output, const std::string& plot);

}  // namespace phpc::cli
