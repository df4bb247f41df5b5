#include "failpoints/jobs.hpp"

#include <cstdlib>
#include <random>
#include <stdexcept>

#include "support/compressed.hpp"
#include "support/genome_files.hpp"
#include "support/npz_files.hpp"
#include "support/process.hpp"

namespace phpc::test {

namespace {

namespace fs = std::filesystem;

using Sequences = std::vector<std::pair<std::string, std::string>>;

Sequences random_sequences() {
  std::mt19937_64 random(3);
  Sequences sequences{{"one", ""}, {"two", ""}};
  for (auto& [name, letters] : sequences) {
    for (int i = 0; i < 2000; ++i) {
      letters += "ACGT"[random() % 4];
    }
  }
  return sequences;
}

std::string fasta() {
  std::string text;
  for (const auto& [name, letters] : random_sequences()) {
    text += ">" + name + "\n" + letters + "\n";
  }
  return text;
}

/// Runs the program on the job's folder to make an input of a job.
void make(const TemporaryDirectory& folder, const std::vector<std::string>& arguments) {
  const ProgramResult result = run_program(arguments, {.directory = folder.path().string()});
  if (result.exit_code != 0) {
    throw std::runtime_error("cannot make the inputs of a job: " + result.err);
  }
}

std::function<void(const TemporaryDirectory&)> writes(std::string name, std::string content) {
  return [name = std::move(name), content = std::move(content)](const TemporaryDirectory& folder) {
    write_file(folder / name, content);
  };
}

/// 16 rows of 64 complex numbers.
std::string array() {
  std::mt19937_64 random(4);
  std::vector<float> values(std::size_t{2} * 16 * 64);
  for (float& value : values) {
    value = static_cast<float>(random() % 1000) / 500 - 1;
  }
  return npy_text({.name = "x", .descr = "<c8", .shape = {16, 64}, .bytes = bytes_of(values)});
}

std::vector<std::string> search(const std::string& genome, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"casoff",   "--quiet", "--device",   "host",     "--pattern",
                                     "NNNNNNRG", "--guide", "ACGTAC:3:g", "--genome", genome};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<Job> transforms() {
  const auto signal = writes("x.npy", array());
  const auto sound = [](const TemporaryDirectory& folder) {
    fs::copy_file(std::string(std::getenv("PHPC_DATA")) + "/fft/chord.wav", folder / "x.wav");
  };
  return {
      {.name = "fft",
       .arguments = {"fft", "-q", "--device", "host", "x.npy", "-o", "y.npy"},
       .outputs = {"y.npy"},
       .inputs = {"x.npy"},
       .make_inputs = signal},
      {.name = "fft_in_parts",
       .arguments = {"fft", "-q", "--device", "host", "x.npy", "-o", "y.npy", "--memory", "2048"},
       .outputs = {"y.npy"},
       .inputs = {"x.npy"},
       .make_inputs = signal},
      {.name = "fft_of_a_pipe",
       .arguments = {"fft", "-q", "--device", "host", "-", "-o", "-"},
       .outputs = {},
       .inputs = {},
       .make_inputs = [](const TemporaryDirectory&) {},
       .standard_input = array()},
      {.name = "fft_spectrum",
       .arguments = {"fft", "-q", "--device", "host", "x.wav", "--spectrum", "--window", "hann", "--plot", "y.svg", "-o",
                     "y.tsv"},
       .outputs = {"y.svg", "y.tsv"},
       .inputs = {"x.wav"},
       .make_inputs = sound},
      {.name = "fft_shard",
       .arguments = {"fft", "-q", "--device", "host", "x.npy", "-o", "y.npy", "--shard", "1/2", "--resume"},
       .outputs = {"y.npy.part-00001-of-00002"},
       .inputs = {"x.npy"},
       .make_inputs = signal},
      {.name = "merge",
       .arguments = {"merge", "-q", "p.npy.part-00000-of-00002", "p.npy.part-00001-of-00002", "-o", "y.npy"},
       .outputs = {"y.npy"},
       .inputs = {"x.npy", "p.npy.part-00000-of-00002", "p.npy.part-00001-of-00002"},
       .make_inputs =
           [signal](const TemporaryDirectory& folder) {
             signal(folder);
             for (const std::string share : {"0/2", "1/2"}) {
               make(folder, {"fft", "--device", "host", "x.npy", "-o", "p.npy", "--shard", share});
             }
           }},
  };
}

std::vector<Job> searches() {
  const auto packed = [](const TemporaryDirectory& folder) {
    write_file(folder / "g.fa", fasta());
    make(folder, {"casoff", "--pack", "g.fa", "-o", "g.phg"});
  };
  return {
      {.name = "casoff_input_file",
       .arguments = {"casoff", "-q", "--device", "host", "input.txt", "-o", "sites"},
       .outputs = {"sites"},
       .inputs = {"input.txt", "g.fa"},
       .make_inputs =
           [](const TemporaryDirectory& folder) {
             write_file(folder / "g.fa", fasta());
             write_file(folder / "input.txt", "g.fa\nNNNNNNRG\nACGTACNN 3\nTTGACANN 2\n");
           }},
      {.name = "casoff_gzip_sam",
       .arguments = search("g.fa.gz", {"--format", "sam", "--annotate", "genes.bed", "--summary", "sums.tsv", "--plot",
                                       "sums.svg", "-o", "sites"}),
       .outputs = {"sites", "sums.tsv", "sums.svg"},
       .inputs = {"g.fa.gz", "genes.bed"},
       .make_inputs =
           [](const TemporaryDirectory& folder) {
             write_file(folder / "g.fa.gz", gzip(fasta()));
             write_file(folder / "genes.bed", "one\t10\t900\tgene\n");
           }},
      {.name = "casoff_bgzip_pack",
       .arguments = {"casoff", "-q", "--pack", "g.fa.gz", "-o", "g.phg"},
       .outputs = {"g.phg"},
       .inputs = {"g.fa.gz"},
       .make_inputs = writes("g.fa.gz", bgzip(fasta(), 300))},
      {.name = "casoff_2bit_bulges",
       .arguments = search("g.2bit", {"--dna-bulge", "1", "--rna-bulge", "1", "--format", "tsv", "-o", "sites"}),
       .outputs = {"sites"},
       .inputs = {"g.2bit"},
       .make_inputs = writes("g.2bit", make_twobit(random_sequences(), ByteOrder::little))},
      {.name = "casoff_packed",
       .arguments = search("g.phg", {"--region", "one", "-o", "sites"}),
       .outputs = {"sites"},
       .inputs = {"g.fa", "g.phg"},
       .make_inputs = packed},
      {.name = "casoff_shard",
       .arguments = search("g.phg", {"-o", "sites", "--shard", "0/2", "--resume"}),
       .outputs = {"sites.part-00000-of-00002"},
       .inputs = {"g.fa", "g.phg"},
       .make_inputs = packed},
  };
}

std::vector<Job> solves() {
  const auto systems = [](const TemporaryDirectory& folder) {
    for (const std::string system : {"0", "1", "2"}) {
      fs::create_directories(folder / ("systems/" + system));
      fs::copy(std::string(std::getenv("PHPC_DATA")) + "/batch/" + system, folder / ("systems/" + system));
    }
  };
  const auto archive = [](const TemporaryDirectory& folder) {
    write_npz(folder / "a.npz",
              {{.name = "format", .descr = "|S3", .shape = {}, .bytes = "csr"},
               {.name = "shape", .descr = "<i8", .shape = {2}, .bytes = bytes_of<std::int64_t>({2, 2})},
               {.name = "indptr", .descr = "<i4", .shape = {3}, .bytes = bytes_of<std::int32_t>({0, 2, 4})},
               {.name = "indices", .descr = "<i4", .shape = {4}, .bytes = bytes_of<std::int32_t>({0, 1, 0, 1})},
               {.name = "values", .descr = "<f8", .shape = {2, 4}, .bytes = bytes_of<double>({4, 1, 1, 3, 5, 2, 1, 4})}},
              Packing::deflated);
  };
  return {
      {.name = "batch_folder",
       .arguments = {"batch", "-q", "--device", "host", "systems", "--rhs", "file", "-o", "x.npy", "--report", "r.tsv", "--plot",
                     "r.svg"},
       .outputs = {"x.npy", "r.tsv", "r.svg"},
       .inputs = {"systems"},
       .make_inputs = systems},
      {.name = "batch_archive",
       .arguments = {"batch", "-q", "--device", "host", "a.npz", "--rhs", "ones", "--solver", "lu", "-o", "x.npy"},
       .outputs = {"x.npy"},
       .inputs = {"a.npz"},
       .make_inputs = archive},
      {.name = "batch_shard",
       .arguments = {"batch", "-q", "--device", "host", "--problem", "stencil3:8", "--systems", "6", "-o", "x.npy", "--shard",
                     "0/2", "--resume"},
       .outputs = {"x.npy.part-00000-of-00002"},
       .inputs = {},
       .make_inputs = [](const TemporaryDirectory&) {}},
  };
}

}  // namespace

std::vector<Job> jobs() {
  std::vector<Job> all = transforms();
  for (Job& job : searches()) {
    all.push_back(std::move(job));
  }
  for (Job& job : solves()) {
    all.push_back(std::move(job));
  }
  all.push_back({.name = "devices",
                 .arguments = {"devices", "-q"},
                 .outputs = {},
                 .inputs = {},
                 .make_inputs = [](const TemporaryDirectory&) {},
                 .output_varies = true});
  return all;
}

}  // namespace phpc::test
