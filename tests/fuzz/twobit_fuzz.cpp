// .2bit files: read or refused.
#include "fuzz/fuzz_input.hpp"
#include "phpc/io/twobit.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const phpc::fuzz::InputInMemory input(data, size);
  phpc::fuzz::allow_errors([&] {
    const phpc::io::InputFile file(input.path());
    phpc::fuzz::StrictConsumer consumer;
    phpc::io::read_twobit(file, consumer, 1);
  });
  return 0;
}
