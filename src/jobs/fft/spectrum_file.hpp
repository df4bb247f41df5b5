#pragma once
#include <string>

#include "jobs/fft/job.hpp"

namespace phpc::jobs {

/// Writes the spectra of a file's array as a table (`table` empty: no) and as a picture (`plot` empty: no). Throws Error,
/// Stopped.
void spectrum_of_file(const FftJob& job, const std::string& input, const std::string& table, const std::string& plot);

}  // namespace phpc::jobs
