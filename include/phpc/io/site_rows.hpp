#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/io/output_file.hpp"

/// Hits of an off-target search as rows of a file: what a row holds, the formats, and the writer.
namespace phpc::io {

/// What an alignment leaves out: nothing, bases of the genome (DNA), letters of the guide (RNA), or both.
enum class Bulge { none, dna, rna, mixed };

/// "X", "DNA", "RNA" (as Cas-OFFinder 3 calls them) or "mixed".
std::string_view to_text(Bulge bulge);

/// No value: of a score, where a site has none.
inline constexpr double not_scored = std::numeric_limits<double>::quiet_NaN();

/// One hit. The aligned rows are as long as each other and oriented like the guide, PAM included.
struct SiteRow {
  index_t guide_number = 0;      ///< 0-based
  std::string_view id;           ///< the guide's; empty = none
  std::string_view guide;        ///< the whole guide without gaps, upper-case, with its Ns
  std::string_view guide_row;    ///< '-' where the genome has a base that the guide has not
  std::string_view site_row;     ///< the genome's letters, mismatches in lower case, '-' where the guide has a letter more
  std::string_view site_gaps{};  ///< '-' at the gaps of site_row, anything elsewhere; empty = site_row has none
  index_t contig = 0;            ///< 0-based number of the genome's sequence
  index_t position = 0;          ///< 0-based, of the leftmost base on the + strand
  index_t site_length = 0;       ///< bases of the genome that the alignment covers
  char strand = '+';             ///< '+' or '-'
  index_t mismatches = 0;
  Bulge bulge = Bulge::none;
  index_t bulge_size = 0;                        ///< gaps in both rows together
  double cfd = not_scored;                       ///< 0 to 1
  double mit = not_scored;                       ///< 0 to 100
  std::span<const std::string_view> features{};  ///< names of what lies there
  bool repeats_name = false;                     ///< an earlier row has its name: see SiteRowWriter::repeats_name()
};

/// Columns beyond those that every row has.
struct SiteColumns {
  bool scores = false;
  bool features = false;
};

/// A sequence of the genome as a row calls it.
struct ContigName {
  std::string_view full;  ///< as the genome calls it
  /// Fit for SAM, VCF and BED, whose names hold no blanks: the first word, characters that SAM forbids and a '#' in front as '_',
  /// and where an earlier sequence has that name too, "_2" and so on behind it.
  std::string_view word;
};

struct ContigLength {
  std::string_view word;
  index_t length;  ///< in bases
};

/// What a file says about itself.
struct SiteFileHeader {
  std::string version;       ///< of the program
  std::string command_line;  ///< empty = not told
  /// In order; empty for formats that do not ask for them.
  std::vector<ContigLength> contigs{};
};

/// How rows are written. Text is appended; a file's name, encoding and so on are the writer's business. Formats keep nothing of
/// the rows, so that several threads can write them.
class SiteFormat {
 public:
  virtual ~SiteFormat() = default;
  /// The header needs the sequences' lengths, which are known when the genome has been read.
  [[nodiscard]] virtual bool header_lists_contigs() const { return false; }
  virtual void append_header(std::string& text, const SiteFileHeader& header) const = 0;
  virtual void append_row(std::string& text, const SiteRow& row, const ContigName& contig) const = 0;
  /// What the format calls a row's guide, where it marks all rows of a name but the first; empty where it does not.
  [[nodiscard]] virtual std::string marked_name(const SiteRow& /*row*/) const { return {}; }
};

/// A format as the command line offers it.
struct SiteFormatEntry {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<SiteFormat> (*make)(SiteColumns);
};

/// All formats:
///   cas-offinder2  Cas-OFFinder 2's rows: guide, sequence, position, site, strand, mismatches[, id]; no header
///   cas-offinder3  Cas-OFFinder 3's two header lines and rows: id, bulge type, crRNA, DNA, sequence, position, strand,
///   mismatches,
///                  bulge size
///   tsv            a header line and all columns
///   bed            BED6, then mismatches, bulge, aligned rows
///   sam            alignments of the guides, for samtools and genome browsers
///   vcf            sites as records without an alternative allele, for bcftools
///   jsonl          one JSON object a line
/// The source of each states its columns and how it writes names that do not fit.
std::span<const SiteFormatEntry> site_formats();

/// Writes rows to a file in one of the formats. Rows must come in ascending order of their contig.
class SiteRowWriter {
 public:
  /// Name of the genome's sequence with that number; asked once each, up to the number of the row being written.
  using NameOf = std::function<std::string_view(index_t)>;

  /// Throws Error(usage) when no format is called `format`.
  SiteRowWriter(OutputFile& out, std::string_view format, SiteColumns columns, SiteFileHeader header, NameOf name_of);
  /// Writes rows alone; what must stand before them is header(). `put` is given whole rows.
  SiteRowWriter(std::function<void(std::string_view)> put, std::string_view format, SiteColumns columns, SiteFileHeader header,
                NameOf name_of);
  ~SiteRowWriter();
  SiteRowWriter(const SiteRowWriter&) = delete;
  SiteRowWriter& operator=(const SiteRowWriter&) = delete;

  /// The next row. SiteRow::repeats_name is the writer's to set.
  void write(SiteRow row);

  // The steps of write(), so that rows can be made by several threads.
  /// Learns the names of sequences up to this one. On one thread at a time; the others may go on meanwhile.
  void learn_names(index_t contig);
  /// Whether an earlier row has the name of this one, in a format that marks such rows. On one thread at a time, for every row in
  /// order; the row's guide_number, id and guide count.
  [[nodiscard]] bool repeats_name(const SiteRow& row);
  /// How a row calls a sequence whose name was learnt. On any thread.
  [[nodiscard]] ContigName contig_name(index_t contig) const;
  /// A row as text. On any thread.
  void append(std::string& text, const SiteRow& row, const ContigName& contig) const;
  /// Text of the next rows, in order. On one thread at a time.
  void put(std::string_view rows);

  /// What a file of rows begins with, from the lengths of all sequences in order; for a writer of rows alone. All names must be
  /// known.
  [[nodiscard]] std::string header(std::span<const index_t> contig_lengths);
  /// After the last row, with the lengths of all sequences in order. Does not commit the file. Throws Error(io).
  void finish(std::span<const index_t> contig_lengths);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phpc::io
