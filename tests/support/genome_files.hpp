#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "phpc/io/sequence.hpp"

namespace phpc::test {

/// Keeps what a genome reader delivers, as (name, upper-case letters), and checks the order of its calls.
class CollectingConsumer final : public io::SequenceConsumer {
 public:
  void begin_sequence(std::string_view name) override;
  void letters(std::string_view block) override;
  void bases(std::span<const BaseWord> words, index_t count) override;
  void end_sequence() override;
  std::vector<std::pair<std::string, std::string>> sequences;

 private:
  bool open_ = false;
};

enum class ByteOrder { little, big };

/// A .2bit file of sequences of A, C, G, T, N in either case (N: blocks; lower case: mask blocks).
std::string make_twobit(const std::vector<std::pair<std::string, std::string>>& sequences, ByteOrder order,
                        std::uint32_t version = 0);

}  // namespace phpc::test
