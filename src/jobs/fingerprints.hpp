#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace phpc::jobs {

/// Fingerprints of a job's input files, which tell them from others, so that parts of different inputs are not put together.
class Fingerprints {
 public:
  enum class Kind {
    ends,   ///< size, time of the last change, CRC-32 of the first and the last mebibyte: read in no time
    whole,  ///< size, CRC-32 of all bytes: says the same of copies, whatever their times
  };

  explicit Fingerprints(Kind kind) : kind_(kind) {}

  /// Of a regular file. Throws Error(usage) for another, Error(io) for one that cannot be read.
  nlohmann::ordered_json of(const std::string& path);
  /// Of many files as one, in their order; `ends` looks at their sizes and times alone, by several threads.
  nlohmann::ordered_json of_all(const std::vector<std::string>& paths);
  /// Throws Error(input) when one of them has got another size or time since. To be called when their last byte was used: a part
  /// of a file before and after a change must not stand.
  void expect_unchanged() const;

 private:
  struct Taken {
    std::string path;
    std::uint64_t bytes;
    std::int64_t modified;  ///< nanoseconds since 1970
  };

  static std::vector<Taken> look_at(const std::vector<std::string>& paths);

  Kind kind_;
  std::vector<Taken> taken_;
};

}  // namespace phpc::jobs
