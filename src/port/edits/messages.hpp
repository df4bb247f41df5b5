#pragma once
#include <string>
#include <vector>

namespace phpc::port {

/// A message: what was not translated, where and why.
struct Refusal {
  std::string file;  ///< as the compiler was given it
  unsigned line = 0;
  std::string what;  ///< "a texture"
  std::string why;   ///< "there is none on other devices; read the array itself"
};

/// The refusals of a run, each place and reason once, in the order in which they are met.
class Refusals {
 public:
  void add(Refusal refusal);
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const std::vector<Refusal>& all() const { return all_; }

 private:
  std::vector<Refusal> all_;
};

/// The line about a refusal: "file:line: not translated: what (why)".
std::string to_line(const Refusal& refusal);
/// The line about a warning: "file:line: warning: what (why)".
std::string to_warning(const Refusal& warning);

/// A JSON array of all messages.
std::string to_json(const std::vector<Refusal>& refusals);

}  // namespace phpc::port
