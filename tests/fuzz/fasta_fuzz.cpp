// FASTA cut into blocks of any size gives what the definition gives.
#include "fuzz/fuzz_input.hpp"
#include "io/genomes/fasta_reader.hpp"
#include "support/fasta_oracle.hpp"

namespace {

/// Keeps what is delivered.
class Keeper final : public phpc::io::SequenceConsumer {
 public:
  void begin_sequence(std::string_view name) override { sequences.emplace_back(name, ""); }
  void letters(std::string_view block) override {
    for (const char letter : block) {
      sequences.back().second += static_cast<char>(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
    }
  }
  void bases(std::span<const phpc::BaseWord> words, phpc::index_t count) override {
    for (phpc::index_t i = 0; i < count; ++i) {
      sequences.back().second += phpc::base_letter(words, i);
    }
  }
  void end_sequence() override {}
  std::vector<std::pair<std::string, std::string>> sequences;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const phpc::test::FastaContent expected = phpc::test::oracle_fasta(text);
  phpc::test::MemoryText source(text, std::size_t{data[0]} + 1);
  Keeper keeper;
  try {
    phpc::io::read_fasta(source, keeper, 1);
    if (expected.wrong_line != 0 || keeper.sequences != expected.sequences) {
      std::abort();
    }
  } catch (const phpc::Error& error) {
    if (!std::string_view(error.what()).starts_with("memory.fa:" + std::to_string(expected.wrong_line) + ":")) {
      std::abort();
    }
  }
  return 0;
}
