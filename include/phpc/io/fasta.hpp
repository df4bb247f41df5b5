#pragma once
#include "phpc/io/input_file.hpp"
#include "phpc/io/sequence.hpp"

namespace phpc::io {

/// Reads a FASTA file to its end, with memory for one block and one line of header.
///
/// Lines have any length and end in LF or CRLF; blank lines and lines that begin with ';' are comments, also before the first
/// header; a sequence's name is its whole header line after '>'. Blanks within sequence lines are skipped. Letters are A-Z in
/// either case, '-', '*' and '.'. Throws Error(input) with file and line for anything else, and for letters before the first
/// header. A header without letters is an empty sequence; a file without header delivers nothing.
void read_fasta(InputFile& file, SequenceConsumer& consumer);

}  // namespace phpc::io
