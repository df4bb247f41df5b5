#pragma once
#include <string>
#include <string_view>
#include <unordered_set>

namespace phpc::io {

/// Joins SAM rows of several writers, each of which marked the first row of a name that it saw as the primary alignment: all rows
/// of a name but the first of all get FLAG 256 (secondary).
class SamPrimaries {
 public:
  /// Takes the next bytes of the rows, cut anywhere, and returns those that can be written: the first two fields of a row are
  /// held back until they are whole. Throws Error(input) where they are longer than SAM allows.
  std::string_view pass(std::string_view bytes);

 private:
  void take_begin(std::string_view bytes);
  void mark();

  std::unordered_set<std::string> names_;  ///< that have a row
  std::string begin_;                      ///< of a row, up to the end of FLAG
  bool is_decided_ = false;                ///< that has been passed on, the rest follows as it is
  std::string out_;
};

}  // namespace phpc::io
