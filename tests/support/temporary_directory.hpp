#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace phpc::test {

/// A fresh, empty directory (under $TMPDIR or /tmp) that is removed with everything in it at the end of the scope.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The path of `name` inside, as text.
  [[nodiscard]] std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  /// Names of the entries inside (not recursive), sorted: to check that nothing was left behind.
  [[nodiscard]] std::vector<std::string> entries() const;

 private:
  std::filesystem::path path_;
};

/// Writes `content` to `path`, replacing the file and making missing folders. Throws std::runtime_error.
void write_file(const std::string& path, std::string_view content);

/// The whole content of a file. Throws std::runtime_error when it cannot be read.
std::string read_file(const std::string& path);

}  // namespace phpc::test
