#include "jobs/casoff/genome_reader.hpp"

#include <omp.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "jobs/processors.hpp"
#include "phpc/core/phase_timer.hpp"
#include "phpc/core/threads.hpp"

namespace phpc::jobs {

int reading_threads() {
  constexpr int enough = 16;
  return std::min(omp_get_max_threads(), enough);
}

/// Passes a genome's sequences to the packer, the parts that no region holds left out.
class GenomeReader::Packing final : public io::SequenceConsumer {
 public:
  explicit Packing(GenomeReader& reader)
      : reader_(reader), packer_(reader.options_.chunk_bases, reader.options_.overlap, [this](casoff::GenomeChunk& chunk) {
          reader_.hand_over(chunk, new_names_);
        }) {}

  void begin_sequence(std::string_view name) override {
    header_ = name;
    new_names_.emplace_back(reader_.options_.names == SequenceNames::first_word ? first_word(name) : name);
    packer_.begin_contig();
    parts_ = reader_.options_.stretches ? stretches_of(packer_.contigs() - 1) : reader_.regions_.parts_of(name);
    reader_.searched_ += !parts_.has_value() || !parts_->empty() ? 1 : 0;
    part_ = 0;
    position_ = 0;
  }

  void letters(std::string_view block) override {
    take(static_cast<index_t>(block.size()), [&](index_t first, index_t count) {
      packer_.append(block.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
    });
  }

  void bases(std::span<const BaseWord> words, index_t count) override {
    take(count, [&](index_t first, index_t part) {
      if (first == 0) {
        packer_.append(words, part);
      } else {
        moved_.resize(static_cast<std::size_t>(base_words(part)));
        copy_bases(moved_.data(), 0, words.data(), first, part);
        packer_.append(moved_, part);
      }
    });
  }

  void skip(index_t count) override {
    packer_.skip(count);
    position_ += count;
  }

  void end_sequence() override {
    reader_.regions_.check_length(header_, position_);
    reader_.lengths_.push_back(position_);
  }

  void finish() {
    reader_.regions_.check_all_found();
    packer_.finish();
    reader_.bases_ = packer_.bases();
    reader_.last_names_ = std::move(new_names_);
  }

 private:
  /// Throws Complete beyond the last.
  [[nodiscard]] std::vector<GenomeRegions::Interval> stretches_of(index_t contig) const {
    const std::vector<GenomeStretch>& stretches = *reader_.options_.stretches;
    auto at = std::partition_point(stretches.begin(), stretches.end(),
                                   [contig](const GenomeStretch& stretch) { return stretch.contig < contig; });
    if (at == stretches.end()) {
      throw Complete{};
    }
    std::vector<GenomeRegions::Interval> parts;
    for (; at != stretches.end() && at->contig == contig; ++at) {
      parts.push_back({at->begin, at->end});
    }
    return parts;
  }

  /// Appends what regions hold of the next `count` bases, and skips the rest.
  template <class Append>
  void take(index_t count, Append append) {
    if (!parts_.has_value()) {
      append(0, count);
      position_ += count;
      return;
    }
    const index_t begin = position_;
    const index_t end = begin + count;
    while (position_ < end) {
      while (part_ < parts_->size() && (*parts_)[part_].end <= position_) {
        ++part_;
      }
      const bool is_last = part_ == parts_->size();
      if (is_last && reader_.options_.stretches && packer_.contigs() - 1 == reader_.options_.stretches->back().contig) {
        throw Complete{};
      }
      const index_t from = is_last ? end : std::clamp((*parts_)[part_].begin, position_, end);
      if (from > position_) {
        packer_.skip(from - position_);
        position_ = from;
      } else {
        const index_t taken = std::min((*parts_)[part_].end, end) - position_;
        append(position_ - begin, taken);
        position_ += taken;
      }
    }
  }

  GenomeReader& reader_;
  casoff::GenomePacker packer_;
  std::string header_;
  std::vector<std::string> new_names_;  ///< of sequences that no chunk has announced yet
  std::vector<BaseWord> moved_;
  std::optional<std::vector<GenomeRegions::Interval>> parts_;
  std::size_t part_ = 0;  ///< the part that may hold the next base
  index_t position_ = 0;  ///< in the sequence
};

GenomeReader::GenomeReader(const io::GenomeSource& source, GenomeReaderOptions options)
    : source_(source), options_(std::move(options)), regions_(options_.regions), thread_(start_thread([this] { read(); })) {}

GenomeReader::~GenomeReader() {
  if (loads_.cancel()) {
    source_.interrupt();  // a pipe that stays open may never give the rest of a chunk
  }
  thread_.join();
}

void GenomeReader::read() {
  use_all_processors();
  try {
    {
      const PhaseTimer timer(read_seconds_);
      Packing packing(*this);
      read_all(packing);
      packing.finish();
    }
    loads_.close();
  } catch (const Stopped&) {  // the reader is being destroyed
  } catch (...) {
    loads_.close(std::current_exception());
  }
}

void GenomeReader::read_all(Packing& packing) {
  try {
    io::Wanted wanted;
    if (options_.stretches) {
      wanted = [this](index_t contig, index_t first, index_t end) { return wants(contig, first, end); };
    }
    source_.read(packing, options_.threads, wanted);
  } catch (const Complete&) {  // the chunk at hand is still to be handed over
    return;
  }
}

bool GenomeReader::wants(index_t contig, index_t first, index_t end) const {
  const auto& stretches = *options_.stretches;
  const auto at = std::partition_point(stretches.begin(), stretches.end(), [&](const GenomeStretch& stretch) {
    return stretch.contig != contig ? stretch.contig < contig : stretch.end <= first;
  });
  return at != stretches.end() && at->contig == contig && at->begin < end;
}

void GenomeReader::hand_over(casoff::GenomeChunk& chunk, std::vector<std::string>& new_names) {
  {
    const PhaseTimer timer(blocked_seconds_);
    if (!loads_.wait_for_room()) {
      throw Stopped{};
    }
  }
  Load load;
  {
    const std::scoped_lock lock(lending_->mutex);
    if (!lending_->emptied.empty()) {
      load.chunk = std::move(lending_->emptied.back());
      lending_->emptied.pop_back();
    }
  }
  std::swap(load.chunk, chunk);
  std::swap(load.new_names, new_names);
  loads_.push(std::move(load));
}

GenomeReader::Chunk GenomeReader::lend(casoff::GenomeChunk&& chunk) const {
  {
    constexpr int most_lent = 2;
    std::unique_lock lock(lending_->mutex);
    lending_->returned.wait(lock, [this] { return lending_->lent < most_lent; });
    // So that taking it back, in a destructor, needs no memory.
    lending_->emptied.reserve(lending_->emptied.size() + most_lent);
    ++lending_->lent;
  }
  const auto take_back = [lending = lending_](casoff::GenomeChunk* returned) {
    {
      const std::scoped_lock lock(lending->mutex);
      lending->emptied.push_back(std::move(*returned));
      --lending->lent;
    }
    lending->returned.notify_all();
    delete returned;
  };
  return {new casoff::GenomeChunk(std::move(chunk)), take_back};
}

void GenomeReader::for_each_chunk(const std::function<void(const Chunk&)>& work) {
  const auto next = [this] {
    const PhaseTimer timer(waiting_seconds_);
    return loads_.pop();
  };
  while (std::optional<Load> load = next()) {
    std::move(load->new_names.begin(), load->new_names.end(), std::back_inserter(names_));
    work(lend(std::move(load->chunk)));
  }
  std::move(last_names_.begin(), last_names_.end(), std::back_inserter(names_));
}

}  // namespace phpc::jobs
