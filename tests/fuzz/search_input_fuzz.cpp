// Cas-OFFinder's input file and lists of guides: read or refused.
#include "fuzz/fuzz_input.hpp"
#include "phpc/io/search_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const phpc::fuzz::InputInMemory input(data, size);
  phpc::fuzz::allow_errors([&] {
    const phpc::io::SearchInput read = phpc::io::read_search_input(input.path());
    for (const phpc::io::SearchInput::Query& query : read.queries) {
      if (query.sequence.size() != read.pattern.size() || query.mismatches < 0) {
        std::abort();
      }
    }
  });
  phpc::fuzz::allow_errors(
      [&] { phpc::io::make_search_input("genome", "NNNNNNNNNNNNNNNNNNNNNRG", phpc::io::read_guides(input.path()), 3); });
  phpc::fuzz::allow_errors([&] { phpc::io::parse_guide({reinterpret_cast<const char*>(data), size}); });
  return 0;
}
