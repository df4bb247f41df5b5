#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phpc/io/features.hpp"
#include "phpc/io/site_rows.hpp"

namespace phpc::jobs {

/// Looks up the features that sites overlap. A sequence of the genome and one of the features are the same where the latter has
/// the former's whole name or its first word.
class SiteAnnotation {
 public:
  /// Reads the file as io::read_features does. `name_of` gives the name of a sequence of the genome that was begun.
  SiteAnnotation(const std::string& path, const std::vector<std::string>& types, io::SiteRowWriter::NameOf name_of);

  /// What the features call a sequence of the genome.
  [[nodiscard]] std::string_view known_name(std::string_view name) const;
  /// The names of features that overlap bases [begin, end) of a sequence, which is named as known_name() does. On any thread.
  void find(std::string_view sequence, index_t begin, index_t end, std::vector<std::string_view>& names) const {
    index_.overlapping(sequence, begin, end, names);
  }
  /// Whether some feature lies on one of the genome's first `contigs` sequences.
  [[nodiscard]] bool knows_any(index_t contigs) const;
  /// What the genome's first sequence is called.
  [[nodiscard]] std::string_view first_name() const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  io::FeatureIndex index_;
  io::SiteRowWriter::NameOf name_of_;
};

}  // namespace phpc::jobs
