#include "jobs/casoff/searched_genome.hpp"

#include <algorithm>

#include "jobs/processors.hpp"
#include "phpc/core/threads.hpp"

namespace phpc::jobs {

namespace {

/// Counts the letters of sequences and looks up their regions.
class Measuring final : public io::SequenceConsumer {
 public:
  Measuring(SequenceNames called, const std::vector<std::string>& regions) : called_(called), regions_(regions) {}

  void begin_sequence(std::string_view name) override {
    header_ = name;
    names.emplace_back(called_ == SequenceNames::first_word ? first_word(name) : name);
    length_ = 0;
  }
  void letters(std::string_view block) override { length_ += static_cast<index_t>(block.size()); }
  void bases(std::span<const BaseWord> /*words*/, index_t count) override { length_ += count; }
  void skip(index_t count) override { length_ += count; }
  void end_sequence() override {
    regions_.check_length(header_, length_);
    const auto contig = static_cast<index_t>(lengths.size());
    lengths.push_back(length_);
    const auto parts = regions_.parts_of(header_);
    for (const GenomeRegions::Interval& part : parts.value_or(std::vector{GenomeRegions::Interval{0, length_}})) {
      if (const index_t end = std::min(part.end, length_); part.begin < end) {
        stretches.push_back({contig, part.begin, end});
      }
    }
  }
  void check() const { regions_.check_all_found(); }

  std::vector<std::string> names;
  std::vector<index_t> lengths;
  std::vector<GenomeStretch> stretches;

 private:
  SequenceNames called_;
  GenomeRegions regions_;
  std::string header_;
  index_t length_ = 0;
};

}  // namespace

SearchedGenome::SearchedGenome(const io::GenomeSource& source, SequenceNames names, const std::vector<std::string>& regions,
                               int threads) {
  Measuring measuring(names, regions);
  const auto measure = [&] {
    use_all_processors();
    source.read(measuring, threads, [](index_t, index_t, index_t) { return false; });
  };
  start_work(measure).get();
  measuring.check();
  names_ = std::move(measuring.names);
  lengths_ = std::move(measuring.lengths);
  for (const GenomeStretch& stretch : measuring.stretches) {
    all_.push_back({stretch, bases_});
    bases_ += stretch.end - stretch.begin;
  }
}

index_t SearchedGenome::bases_before(index_t contig, index_t position) const {
  const auto after = std::partition_point(all_.begin(), all_.end(), [&](const Numbered& one) {
    return one.stretch.contig != contig ? one.stretch.contig < contig : one.stretch.begin < position;
  });
  if (after == all_.begin()) {
    return 0;
  }
  const auto& [stretch, number] = *std::prev(after);
  const index_t end = stretch.contig == contig ? std::min(stretch.end, position) : stretch.end;
  return number + end - stretch.begin;
}

std::vector<GenomeStretch> SearchedGenome::stretches(index_t begin, index_t end, index_t margin) const {
  std::vector<GenomeStretch> chosen;
  if (begin >= end) {
    return chosen;
  }
  const auto first = std::partition_point(all_.begin(), all_.end(), [begin](const Numbered& one) {
    return one.number + one.stretch.end - one.stretch.begin <= begin;
  });
  for (auto at = first; at != all_.end() && at->number < end; ++at) {
    const auto& [stretch, number] = *at;
    chosen.push_back({stretch.contig, std::max(stretch.begin, stretch.begin + begin - margin - number),
                      std::min(stretch.end, stretch.begin + end + margin - number)});
  }
  return chosen;
}

}  // namespace phpc::jobs
