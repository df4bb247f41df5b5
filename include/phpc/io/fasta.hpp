#pragma once
#include <string>

#include "phpc/io/sequence.hpp"

namespace phpc::io {

/// Reads a FASTA file to its end, plain or compressed with gzip or bgzip, by `threads` threads beside the caller's (1: by the
/// caller's alone), with memory for a few blocks each. "-" is standard input.
///
/// Lines have any length and end in LF, CR LF or CR; blank lines and lines that begin with ';' are comments, also before the
/// first header; a sequence's name is its whole header line after '>'. Blanks within sequence lines are skipped. Letters are A-Z
/// in either case, '-', '*' and '.'. Throws Error(input) with file and line for anything else, and for letters before the first
/// header. A header without letters is an empty sequence; a file without header delivers nothing.
void read_fasta(const std::string& path, SequenceConsumer& consumer, int threads);

}  // namespace phpc::io
