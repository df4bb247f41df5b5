#pragma once
#include <compare>
#include <optional>
#include <string>

namespace phpc::io {

/// What a path that is to be written leads to.
struct OutputTarget {
  std::string path;           ///< with all symbolic links followed; what stands there need not exist yet
  int descriptor = -1;        ///< an open one of this process, which the path is a name of ("-", /dev/stdout, /dev/fd/3), or -1
  bool is_open_file = false;  ///< the path names an open file of a process, of this one or another's (/proc/PID/fd/N)
};

OutputTarget output_target(const std::string& path);

/// Which file a path leads to, whatever it is called there: links, two spellings and a file that does not exist yet included.
struct FileIdentity {
  unsigned long long device = 0;
  unsigned long long inode = 0;
  std::string name{};  ///< of a file that does not exist yet, whose folder the two numbers are; else empty
  auto operator<=>(const FileIdentity&) const = default;
};

/// Nothing for what may well be read and written at once (a terminal, /dev/null, a socket) and for what cannot be reached. "-" is
/// standard input or output.
std::optional<FileIdentity> identity_of_input(const std::string& path);
std::optional<FileIdentity> identity_of_output(const std::string& path);

}  // namespace phpc::io
