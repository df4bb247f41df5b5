#include "jobs/casoff/pack.hpp"

#include <fmt/format.h>

#include "jobs/casoff/genome_reader.hpp"
#include "jobs/casoff/input.hpp"
#include "jobs/clock.hpp"
#include "jobs/file_places.hpp"
#include "jobs/output_format.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/io/genome_source.hpp"
#include "phpc/io/packed_genome.hpp"

namespace phpc::jobs {

void pack_genome(Caller& caller, const std::string& genome, const std::string& output) {
  PHPC_VALIDATE(!output.empty(), ErrorKind::usage, "--pack needs a file to write; give it with -o, as in -o genome.phg");
  output_format(output, "", {.what = "packed genomes", .place = "-o", .format_option = "", .formats = {"phg"}, .is_text = false});
  const auto start = Clock::now();
  caller.apply_threads();
  const io::GenomeSource source(genome, [&](const std::string& warning) { caller.warning(warning); });
  validate_places({{output, "-o"}}, genome_places(source));
  io::OutputFile out(output);
  io::PackedGenomeWriter writer(out);
  source.read(writer, reading_threads());
  writer.finish();
  out.commit();
  const double seconds = seconds_since(start);
  caller.info(fmt::format("{} of {} packed, {:.2f} s", counted(writer.base_count(), "base"),
                          counted(writer.sequence_count(), "sequence"), seconds));
}

}  // namespace phpc::jobs
