#pragma once
#include <string>
#include <string_view>
#include <unordered_set>

namespace phpc::io {

/// Makes one SAM file's rows of those that several writers made, each of which took the first row of a name that it saw for the
/// primary one: in rows of a name that came before, FLAG gets 256 (secondary).
class SamPrimaries {
 public:
  /// The next bytes of the rows, cut anywhere; returns what can be written of them. Of a row its first two fields are held.
  /// Throws Error(input) where they are longer than any.
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
