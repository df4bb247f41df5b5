#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace phpc::port {

/// What the threads of a kernel do together: phpc::cuda::Threads (phpc/cuda/kernel.hpp), the same numbers.
enum How : unsigned { independent = 0, share_memory = 1, cooperate = 2, ask_indices = 4, own_arrays = 8, in_step = 16 };

/// The flags as a translated source writes them: `share_memory | ask_indices`.
std::string to_string(unsigned how);

/// One replacement in a file: `length` bytes at `offset` by `text`, in which `how_mark` stands for the flags `how`.
struct Edit {
  static constexpr std::string_view how_mark = "@HOW@";
  std::size_t offset;
  std::size_t length;
  std::string text;
  unsigned how = independent;
};

/// The replacements in all files of a run. Several translation units may ask for the same ones in a header; what their kernels'
/// threads do together is then united.
class Edits {
 public:
  /// Takes an edit of a file, named by its absolute path. Edits at one place stay in the order in which they come.
  /// Returns false if it overlaps another one.
  bool add(const std::string& path, Edit edit);
  [[nodiscard]] bool has(const std::string& path) const { return files_.contains(path); }
  /// The text of a file with its edits made.
  [[nodiscard]] std::string apply(const std::string& path, std::string_view original) const;

 private:
  std::map<std::string, std::vector<Edit>> files_;
};

}  // namespace phpc::port
