#pragma once
#include <cstdint>
#include <span>

#include "phpc/io/input_file.hpp"
#include "phpc/io/sequence.hpp"

namespace phpc::io {

/// Whether the first bytes of a file are the signature of .2bit, in either byte order.
bool is_twobit(std::span<const char> first_bytes);

/// Reads a .2bit file (UCSC's format description; versions 0 and 1, the latter with 64-bit offsets), either byte order, names of
/// up to 255 bytes, by `threads` threads beside the caller's (1: by the caller's alone). N blocks become N, mask blocks (lower
/// case) are not delivered. Sequences come in the index's order, from where the index says. Throws Error(input) for a file that
/// is truncated or contradicts itself, Error(io) when it is not a regular file.
void read_twobit(const InputFile& file, SequenceConsumer& consumer, int threads, const Wanted& wanted = {});

}  // namespace phpc::io
