#include "phpc/io/sam_primaries.hpp"

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/core/types.hpp"

namespace phpc::io {

namespace {

/// The longest beginning of a row, name and FLAG: names have up to 254 characters.
constexpr std::size_t longest_begin = std::size_t{1} << 16;

}  // namespace

std::string_view SamPrimaries::pass(std::string_view bytes) {
  out_.clear();
  while (!bytes.empty()) {
    const std::size_t end = is_decided_ ? bytes.find('\n') : bytes.find_first_of("\t\n");
    const std::string_view taken = bytes.substr(0, end == std::string_view::npos ? end : end + 1);
    bytes.remove_prefix(taken.size());
    if (is_decided_) {
      out_ += taken;
      is_decided_ = !taken.ends_with('\n');
    } else {
      take_begin(taken);
    }
  }
  return out_;
}

/// Up to a tab or the line's end, which may not have come yet.
void SamPrimaries::take_begin(std::string_view bytes) {
  begin_ += bytes;
  PHPC_VALIDATE(begin_.size() <= longest_begin, ErrorKind::input,
                "a row of SAM begins with a name of more than 64 KiB (a part is no such file); run its share again");
  if (bytes.ends_with('\n')) {
    out_ += begin_;
  } else if (bytes.ends_with('\t') && begin_.find('\t') != begin_.size() - 1) {
    mark();
    out_ += begin_;
    is_decided_ = true;
  } else {
    return;
  }
  begin_.clear();
}

/// Sets FLAG, the last field of begin_, to that of a secondary alignment where an earlier row has the name.
void SamPrimaries::mark() {
  constexpr index_t secondary = 256;
  const std::size_t name_end = begin_.find('\t');
  const std::size_t flag_bytes = begin_.size() - name_end - 2;
  const auto flag = parse_integer(std::string_view(begin_).substr(name_end + 1, flag_bytes));
  if (!names_.insert(begin_.substr(0, name_end)).second && flag && (*flag & secondary) == 0) {
    begin_.replace(name_end + 1, flag_bytes, std::to_string(*flag | secondary));
  }
}

}  // namespace phpc::io
