#pragma once
#include <string>
#include <string_view>

namespace phpc::test {

/// `text` as one gzip member.
std::string gzip(std::string_view text);

/// `text` as bgzip writes it: blocks of at most `block_bytes` (up to 65280), each a gzip member with its size in a field "BC",
/// and the empty block at the end.
std::string bgzip(std::string_view text, std::size_t block_bytes = 65280);

/// bgzip's last block.
std::string bgzip_end();

}  // namespace phpc::test
