// Packed genomes: read or refused. Sums that the fuzzer cannot guess are put right first, so that it gets behind them.
#include <libdeflate.h>

#include <cstring>

#include "fuzz/fuzz_input.hpp"
#include "phpc/io/packed_genome.hpp"

namespace {

constexpr std::size_t header_bytes = 16;
constexpr std::size_t footer_bytes = 32;

void put_right(std::string& file) {
  if (file.size() < header_bytes + footer_bytes) {
    return;
  }
  const std::size_t footer = file.size() - footer_bytes;
  std::uint64_t at = 0;
  std::memcpy(&at, file.data() + footer, sizeof at);
  at = header_bytes + at % (footer - header_bytes + 1);
  const std::uint64_t bytes = footer - at;
  const std::uint32_t sum = libdeflate_crc32(0, file.data() + at, bytes);
  std::memcpy(file.data(), "\x89PHG\r\n\x1a\n\x01\0\0", 12);
  std::memcpy(file.data() + footer, &at, sizeof at);
  std::memcpy(file.data() + footer + 8, &bytes, sizeof bytes);
  std::memcpy(file.data() + footer + 16, &sum, sizeof sum);
  std::memcpy(file.data() + footer + 24, file.data(), 8);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string file(reinterpret_cast<const char*>(data), size);
  put_right(file);
  const phpc::fuzz::InputInMemory input(reinterpret_cast<const std::uint8_t*>(file.data()), file.size());
  phpc::fuzz::allow_errors([&] {
    const phpc::io::InputFile opened(input.path());
    phpc::fuzz::StrictConsumer consumer;
    phpc::io::read_packed_genome(opened, consumer, 1);
  });
  return 0;
}
