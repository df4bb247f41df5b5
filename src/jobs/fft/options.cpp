#include "jobs/fft/options.hpp"

#include <fmt/format.h>

#include "jobs/integer_list.hpp"
#include "phpc/core/error.hpp"

namespace phpc::jobs {

std::optional<io::RawFormat> raw_format(const FftOptions& options, std::uint64_t memory) {
  if (options.dtype.empty()) {
    PHPC_VALIDATE(options.shape.empty(), ErrorKind::usage,
                  "--shape is for bare elements (other files say their own); give --dtype with it");
    return std::nullopt;
  }
  io::RawFormat format{.dtype = options.dtype, .most_held_bytes = memory / 4};
  if (!options.shape.empty()) {
    format.shape = parse_list(options.shape, "--shape");
  }
  return format;
}

}  // namespace phpc::jobs
