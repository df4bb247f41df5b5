#pragma once
#include <cstdint>

namespace phpc::fft {

/// Rows of complex numbers, and of real numbers to half spectra and back.
enum class RowKind : std::uint8_t { complex, from_reals, to_reals };

}  // namespace phpc::fft
