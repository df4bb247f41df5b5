#include "jobs/casoff/annotation.hpp"

#include "jobs/casoff/genome_regions.hpp"

namespace phpc::jobs {

SiteAnnotation::SiteAnnotation(const std::string& path, const std::vector<std::string>& types, io::SiteRowWriter::NameOf name_of)
    : path_(path), index_(io::read_features(path, types)), name_of_(std::move(name_of)) {}

bool SiteAnnotation::knows_any(index_t contigs) const {
  for (index_t contig = 0; contig < contigs; ++contig) {
    if (index_.has_sequence(known_name(name_of_(contig)))) {
      return true;
    }
  }
  return false;
}

std::string_view SiteAnnotation::first_name() const {
  return first_word(name_of_(0));
}

std::string_view SiteAnnotation::known_name(std::string_view name) const {
  return index_.has_sequence(name) ? name : first_word(name);
}

}  // namespace phpc::jobs
