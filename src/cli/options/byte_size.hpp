#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

/// Sizes in bytes on the command line. CLI11's own AsSizeValue wraps -1 round to 2^64 - 1.
namespace phpc::cli {

/// A number of bytes, with or without a unit: "4096", "500MB", "64 kB", "2GiB", "1.5g". K, M, G, T, P, E, with B or without, are
/// powers of 1000, with i before the B (or last) powers of 1024; in any case, blanks before the unit. nullopt on any other text,
/// signs and exponents among it, and beyond 2^64 - 1.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// Bytes as in 4096, 500MB (1000 kB), 1.5GiB (1024 MiB); at least one. For CLI::Option::transform().
CLI::Validator byte_size();

}  // namespace phpc::cli
