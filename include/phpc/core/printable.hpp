#pragma once
#include <string>
#include <string_view>

namespace phpc {

/// `text` as one line that a terminal can show, whatever a file or a command line put into it: control characters (C0, DEL, C1)
/// and bytes that are no UTF-8 as \xNN, words of over 512 bytes and texts of over 4096 cut in their middle. Valid UTF-8 stays.
std::string printable(std::string_view text);

}  // namespace phpc
