#include "phpc/io/sam_primaries.hpp"

#include "phpc/core/parse.hpp"
#include "phpc/core/types.hpp"

namespace phpc::io {

std::string_view SamPrimaries::pass(std::string_view bytes) {
  out_.clear();
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    line_ += bytes.substr(0, end + 1);
    bytes.remove_prefix(end + 1);
    take_line();
    line_.clear();
  }
  line_ += bytes;
  return out_;
}

void SamPrimaries::take_line() {
  constexpr index_t flag_secondary = 256;
  const std::size_t name_end = line_.find('\t');
  const std::size_t flag_end = name_end == std::string::npos ? name_end : line_.find('\t', name_end + 1);
  if (flag_end != std::string::npos) {
    const auto flag = parse_integer(std::string_view(line_).substr(name_end + 1, flag_end - name_end - 1));
    if (!names_.insert(line_.substr(0, name_end)).second && flag && (*flag & flag_secondary) == 0) {
      line_.replace(name_end + 1, flag_end - name_end - 1, std::to_string(*flag | flag_secondary));
    }
  }
  out_ += line_;
}

}  // namespace phpc::io
