// Writes files for the fuzzers to begin with: make_seeds FOLDER.
#include <iostream>

#include "phpc/io/packed_genome.hpp"
#include "support/compressed.hpp"
#include "support/genome_files.hpp"
#include "support/temporary_directory.hpp"

int main(int count, char** arguments) {
  using namespace phpc;
  if (count != 2) {
    std::cerr << "usage: make_seeds FOLDER\n";
    return 2;
  }
  const std::string folder = arguments[1];
  const std::string fasta = ">a b\nACGTNacgt\nGGX-\n;comment\n\n>c\r\nAC\r\nGT\r\n>d\rAAAA\r";
  test::write_file(folder + "/fasta/1", "\x10" + fasta);
  test::write_file(folder + "/fasta/2", "\xff>one\n" + std::string(200, 'A') + "\n" + std::string(200, 'N'));
  const std::vector<std::pair<std::string, std::string>> sequences = {{"a", "ACGTNNNNacgtACGT"}, {"b", ""}, {"c", "NNACGTTGCA"}};
  test::write_file(folder + "/twobit/1", test::make_twobit(sequences, test::ByteOrder::little));
  test::write_file(folder + "/twobit/2", test::make_twobit(sequences, test::ByteOrder::big, 1));
  test::write_file(folder + "/gzip/1", test::gzip(fasta) + test::gzip("more"));
  test::write_file(folder + "/gzip/2", test::bgzip(fasta, 20));
  test::write_file(folder + "/search_input/1", "genome.fa\nNNNNRG 1 2\nACGTNN 3 a\r\nacgtnn\t4 b\n");
  test::write_file(folder + "/search_input/2", "genome\nNGG\nNNN 0\nANN 1\n");
  test::write_file(folder + "/packed_genome/0", "");
  for (const std::string letters : {"ACGTACGT", "ACGTN", "ACGX-"}) {
    io::OutputFile out(folder + "/packed_genome/" + letters);
    io::PackedGenomeWriter writer(out);
    for (const std::string name : {"a", "b c"}) {
      writer.begin_sequence(name);
      writer.letters(letters);
    }
    writer.begin_sequence("empty");
    writer.finish();
    out.commit();
  }
}
