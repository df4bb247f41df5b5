#pragma once
#include "io/files/text_source.hpp"
#include "phpc/io/sequence.hpp"

namespace phpc::io {

/// read_fasta of a text wherever it comes from.
void read_fasta(TextSource& source, SequenceConsumer& consumer, int threads);

}  // namespace phpc::io
