#include "phpc/io/genome_source.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "phpc/core/error.hpp"
#include "phpc/io/packed_genome.hpp"
#include "support/compressed.hpp"
#include "support/genome_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using Sequences = std::vector<std::pair<std::string, std::string>>;

class Genome : public testing::Test {
 protected:
  Sequences read(const std::string& path) {
    warnings_.clear();
    const GenomeSource source(path, [&](const std::string& warning) { warnings_.push_back(warning); });
    test::CollectingConsumer consumer;
    source.read(consumer, 2);
    return consumer.sequences;
  }

  ErrorKind error_kind(const std::string& path) {
    try {
      read(path);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find('('), std::string::npos) << error.what();
      return error.kind();
    }
    ADD_FAILURE() << "no error for " << path;
    return ErrorKind::usage;
  }

  test::TemporaryDirectory directory_;
  std::vector<std::string> warnings_;
};

TEST_F(Genome, IsReadFromAFileOfEitherFormat) {
  test::write_file(directory_ / "x", ">a\nAC\n");
  EXPECT_EQ(read(directory_ / "x"), (Sequences{{"a", "AC"}}));
  test::write_file(directory_ / "comment", "\n; first\n>a\nAC\n");
  EXPECT_EQ(read(directory_ / "comment"), (Sequences{{"a", "AC"}}));
  test::write_file(directory_ / "y.fa", test::make_twobit({{"b", "GT"}}, test::ByteOrder::big));
  EXPECT_EQ(read(directory_ / "y.fa"), (Sequences{{"b", "GT"}}));
}

TEST_F(Genome, IsReadFromAFolderInOrderOfNames) {
  const std::string folder = directory_ / "genome";
  test::write_file(folder + "/b.fa", ">b\nC\n");
  test::write_file(folder + "/a.2bit", test::make_twobit({{"a", "A"}}, test::ByteOrder::little));
  test::write_file(folder + "/B.fa", ">B\nG\n");
  test::write_file(folder + "/empty.fa", "");
  test::write_file(folder + "/README", "not a genome\n");
  test::write_file(folder + "/.b.fa.0123abcd.tmp", "what another run is writing\n");
  test::write_file(folder + "/inner/c.fa", ">c\nT\n");
  test::write_file(directory_ / "elsewhere.fa", ">z\nT\n");
  std::filesystem::create_symlink("../elsewhere.fa", folder + "/z.fa");
  std::filesystem::create_symlink("nowhere.fa", folder + "/dangling.fa");
  EXPECT_EQ(read(folder), (Sequences{{"B", "G"}, {"a", "A"}, {"b", "C"}, {"z", "T"}}));
  EXPECT_EQ(warnings_.size(), 4U);
}

TEST_F(Genome, IsReadFromAFolderOfCompressedFiles) {
  test::write_file(directory_ / "g/b.fa.gz", test::gzip(">b\nC\n"));
  test::write_file(directory_ / "g/a.fa.bgz", test::bgzip(">a\nG\n"));
  test::write_file(directory_ / "g/notes.gz", test::gzip("no genome\n"));
  EXPECT_EQ(read(directory_ / "g"), (Sequences{{"a", "G"}, {"b", "C"}}));
  EXPECT_EQ(warnings_.size(), 1U);
  test::write_file(directory_ / "g/c.fa", ">c\nT\n");
  EXPECT_EQ(read(directory_ / "g"), (Sequences{{"c", "T"}}));
  EXPECT_EQ(warnings_.size(), 3U);
}

TEST_F(Genome, IsReadFromAPackedFile) {
  {
    OutputFile out(directory_ / "g.phg");
    PackedGenomeWriter writer(out);
    writer.begin_sequence("a");
    writer.letters("acgtX");
    writer.finish();
    out.commit();
  }
  EXPECT_EQ(read(directory_ / "g.phg"), (Sequences{{"a", "ACGTX"}}));
}

/// Stretches of three sequences in three files are wanted; the bases of others are left out, in blocks of the readers' size.
TEST_F(Genome, LeavesOutWhatIsNotWanted) {
  const std::string folder = directory_ / "genome";
  std::string letters(3'500'000, 'A');
  for (std::size_t i = 0; i < letters.size(); i += 1000) {
    letters[i] = "CGTN"[i / 1000 % 4];
  }
  test::write_file(folder + "/a.2bit",
                   test::make_twobit({{"a", letters}, {"empty", ""}, {"b", letters}}, test::ByteOrder::little));
  test::write_file(folder + "/b.fa", ">c\n" + letters + "\n");
  {
    OutputFile out(folder + "/c.phg");
    PackedGenomeWriter writer(out);
    for (const std::string name : {"d", "e", "f"}) {
      writer.begin_sequence(name);
      writer.letters(name == "e" ? "ACGT" : letters);
    }
    writer.finish();
    out.commit();
  }
  struct Consumer final : SequenceConsumer {
    void begin_sequence(std::string_view name) override { sequences.emplace_back(name, ""); }
    void letters(std::string_view block) override { sequences.back().second += block; }
    void bases(std::span<const BaseWord> words, index_t count) override {
      for (index_t i = 0; i < count; ++i) {
        sequences.back().second += base_letter(words, i);
      }
    }
    void skip(index_t count) override { sequences.back().second += std::string(static_cast<std::size_t>(count), '-'); }
    void end_sequence() override {}
    Sequences sequences;
  };
  const GenomeSource source(folder, [](const std::string&) {});
  constexpr index_t begin = 1'100'000;
  constexpr index_t end = 1'900'000;
  for (const int threads : {1, 3}) {
    for (const index_t wanted : {-1, 2, 4}) {
      Consumer consumer;
      source.read(consumer, threads, [wanted](index_t sequence, index_t first, index_t last) {
        return sequence == wanted && first < end && last > begin;
      });
      ASSERT_EQ(consumer.sequences.size(), 7u);
      for (std::size_t i = 0; i < 7; ++i) {
        const std::string& got = consumer.sequences[i].second;
        const std::string whole = i == 1 ? "" : i == 5 ? "ACGT" : letters;
        ASSERT_EQ(got.size(), whole.size()) << i;
        const bool is_fasta = i == 3;
        EXPECT_EQ(is_fasta, !whole.empty() && got == whole) << i;
        std::size_t wrong = 0;
        for (std::size_t at = 0; at < got.size(); ++at) {
          const bool is_left_out = got[at] == '-';
          const bool is_wanted =
              static_cast<index_t>(i) == wanted && static_cast<index_t>(at) >= begin && static_cast<index_t>(at) < end;
          wrong += is_left_out ? is_wanted : got[at] != whole[at];
        }
        EXPECT_EQ(wrong, 0u) << i;
      }
    }
  }
}

TEST_F(Genome, IsReadFromAPipe) {
  for (const std::string& bytes : {std::string(">a\nAC\n"), test::gzip(">a\nAC\n"), test::bgzip(">a\nAC\n")}) {
    const std::string path = directory_ / "pipe";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { test::write_file(path, bytes); });
    EXPECT_EQ(read(path), (Sequences{{"a", "AC"}}));
    writer.join();
    std::filesystem::remove(path);
  }
}

TEST_F(Genome, IsAnErrorWhereThereIsNone) {
  EXPECT_EQ(error_kind(directory_ / "absent.fa"), ErrorKind::io);
  test::write_file(directory_ / "empty.fa", "");
  EXPECT_EQ(error_kind(directory_ / "empty.fa"), ErrorKind::input);
  test::write_file(directory_ / "header.fa", ">only a header\n");
  EXPECT_EQ(error_kind(directory_ / "header.fa"), ErrorKind::input);
  test::write_file(directory_ / "packed.fa.gz", "\x1f\x8b\x08");
  EXPECT_EQ(error_kind(directory_ / "packed.fa.gz"), ErrorKind::input);
  test::write_file(directory_ / "g.2bit.gz", test::gzip(test::make_twobit({{"a", "ACGT"}}, test::ByteOrder::little)));
  EXPECT_EQ(error_kind(directory_ / "g.2bit.gz"), ErrorKind::input);
  test::write_file(directory_ / "text", "ACGT\n");
  EXPECT_EQ(error_kind(directory_ / "text"), ErrorKind::input);
  test::write_file(directory_ / "folder/README", "nothing\n");
  EXPECT_THROW(read(directory_ / "folder"), Error);
  EXPECT_THROW(read(""), Error);
  if (geteuid() != 0) {
    test::write_file(directory_ / "secret/a.fa", ">a\nAC\n");
    std::filesystem::permissions(directory_ / "secret/a.fa", std::filesystem::perms::none);
    EXPECT_EQ(error_kind(directory_ / "secret"), ErrorKind::io);
  }
}

TEST_F(Genome, EstimatesItsLetters) {
  test::write_file(directory_ / "g/a.fa", ">a\n" + std::string(1000, 'A'));
  test::write_file(directory_ / "g/b.2bit", test::make_twobit({{"b", std::string(4000, 'C')}}, test::ByteOrder::little));
  const GenomeSource source(directory_ / "g", [](const std::string&) {});
  EXPECT_GE(source.estimated_letters(), 5000U);
  EXPECT_LE(source.estimated_letters(), 5300U);
}

/// A line end in a name would begin another row in files of rows; only binary files can hold one.
TEST_F(Genome, IsRefusedWhereANameIsNoLine) {
  const auto message = [this](const std::string& name) {
    try {
      read(directory_ / name);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return std::string(error.what());
    }
    return std::string();
  };
  for (const std::string& name : {std::string("a\nb"), std::string("a\r"), std::string("a\0b", 3)}) {
    const Sequences sequences{{"fine \t name", "ACGT"}, {name, "ACGT"}};
    test::write_file(directory_ / "g.2bit", test::make_twobit(sequences, test::ByteOrder::little));
    OutputFile out(directory_ / "g.phg");
    PackedGenomeWriter writer(out);
    for (const auto& [called, letters] : sequences) {
      writer.begin_sequence(called);
      writer.letters(letters);
      writer.end_sequence();
    }
    writer.finish();
    out.commit();
    for (const std::string file : {"g.2bit", "g.phg"}) {
      EXPECT_NE(message(file).find(file + "' cannot be read: the name of its sequence 2 holds a line end"), std::string::npos)
          << message(file);
    }
  }
}

}  // namespace
}  // namespace phpc::io
