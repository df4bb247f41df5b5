// Compressed files: read or refused.
#include "fuzz/fuzz_input.hpp"
#include "io/files/gzip_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const phpc::fuzz::InputInMemory input(data, size);
  phpc::fuzz::allow_errors([&] {
    phpc::io::ByteStream stream(input.path());
    phpc::io::GzipText text(stream);
    phpc::io::TextBlock block;
    while (text.begin(block)) {
      text.fill(block);
    }
  });
  return 0;
}
