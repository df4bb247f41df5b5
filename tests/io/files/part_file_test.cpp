#include "phpc/io/part_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "phpc/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

class Parts : public testing::Test {
 protected:
  static PartHeader header(index_t shard, index_t shards, index_t total) {
    return {.version = "1.0",
            .command = "fft",
            .job = R"({"norm":"ortho","inputs":[{"name":"x.npy","bytes":12}]})",
            .shard = shard,
            .shards = shards,
            .unit = "transforms",
            .region_begin = total * shard / shards,
            .region_end = total * (shard + 1) / shards,
            .total = total,
            .prologue = std::string("\x93NUMPY\0\n", 8),
            .device = "host"};
  }

  std::string write(const PartHeader& header, const std::string& text) const {
    const std::string path = part_path(folder_ / "out", header.shard, header.shards);
    PartWriter part(path, header);
    part.write(std::as_bytes(std::span(text)));
    part.commit(header.region_end - header.region_begin);
    return path;
  }

  /// Three whole parts.
  std::vector<std::string> three() const {
    return {write(header(0, 3, 10), "abc"), write(header(1, 3, 10), "\nphpc-part-end {}\n"), write(header(2, 3, 10), "")};
  }

  static std::string refusal(const std::vector<std::string>& paths) {
    try {
      ordered_parts(paths);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  static std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void put(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  test::TemporaryDirectory folder_;
};

TEST_F(Parts, ComeBackInOrder) {
  std::vector<std::string> paths = three();
  EXPECT_EQ(std::filesystem::path(paths[1]).filename(), "out.part-00001-of-00003");
  std::swap(paths[0], paths[2]);
  std::string merged;
  index_t records = 0;
  for (const PartFile& part : ordered_parts(paths)) {
    EXPECT_EQ(part.header().prologue, header(0, 3, 10).prologue);
    records += part.records();
    part.read(
        [&](std::span<const std::byte> bytes) { merged.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); });
  }
  EXPECT_EQ(merged, "abc\nphpc-part-end {}\n");
  EXPECT_EQ(records, 10);
}

TEST_F(Parts, AreDoneWhenWholeAndOfTheSameJob) {
  const std::string path = three()[1];
  EXPECT_TRUE(find_part(path, header(1, 3, 10)).has_value());
  PartHeader other = header(1, 3, 10);
  other.device = "gpu";
  EXPECT_TRUE(find_part(path, other).has_value());
  other.job = R"({"norm":"backward","inputs":[{"name":"x.npy","bytes":12}]})";
  EXPECT_FALSE(find_part(path, other).has_value());
  EXPECT_FALSE(find_part(path + "x", header(1, 3, 10)).has_value());
  std::string bytes = contents(path);
  bytes[bytes.find("part-end")] = 'q';  // in the region
  put(path, bytes);
  EXPECT_FALSE(find_part(path, header(1, 3, 10)).has_value());
}

TEST_F(Parts, AreDoneWhereverTheirRegionLies) {
  const std::string path = three()[1];
  PartHeader wanted = header(1, 3, 10);
  wanted.prologue = "";
  wanted.region_begin = wanted.region_end = wanted.total = 0;
  EXPECT_FALSE(find_part(path, wanted).has_value());
  EXPECT_TRUE(is_done(path, wanted));
  wanted.shard = 0;
  EXPECT_FALSE(is_done(path, wanted));
  const PartHeader third = header(2, 3, 10);
  PartWriter part(folder_ / "stopped", third);
  part.commit_checkpoint(folder_ / "stopped", 0, third.region_begin);
  EXPECT_FALSE(is_done(folder_ / "stopped", third));
}

/// What a copy of a shard left that stopped after another one had finished.
TEST_F(Parts, CheckpointsBesideTheWholePartAreLeftOut) {
  std::vector<std::string> paths = three();
  const PartHeader half = header(1, 3, 10);
  PartWriter part(folder_ / "stopped", half);
  part.commit_checkpoint(paths[1] + ".checkpoint", 0, half.region_begin);
  paths.push_back(paths[1] + ".checkpoint");
  EXPECT_EQ(refusal(paths), "");
  EXPECT_EQ(ordered_parts(paths).size(), 3u);
  std::erase(paths, paths[1]);
  EXPECT_NE(refusal(paths).find("is a checkpoint"), std::string::npos) << refusal(paths);
}

TEST_F(Parts, CutAnywhereAreRefused) {
  const std::string path = three()[0];
  const std::string whole = contents(path);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    put(path, whole.substr(0, length));
    EXPECT_FALSE(find_part(path, header(0, 3, 10)).has_value()) << length;
    EXPECT_THROW(PartFile{path}, Error) << length;
  }
}

TEST_F(Parts, GoOnFromACheckpoint) {
  const PartHeader half = header(1, 3, 10);
  const std::string path = part_path(folder_ / "out", 1, 3);
  {
    PartWriter first(path, half);
    first.write(std::as_bytes(std::span<const char>("abc", 3)));
    first.commit_checkpoint(path, 2, 4);
  }
  const std::optional<PartFile> checkpoint = find_part(path, half);
  ASSERT_TRUE(checkpoint.has_value());
  EXPECT_FALSE(checkpoint->is_whole());
  EXPECT_EQ(checkpoint->until(), 4);
  EXPECT_NE(refusal({path}).find("checkpoint"), std::string::npos);
  PartWriter second(path, half);
  second.write_all_of(*checkpoint);
  second.write(std::as_bytes(std::span<const char>("de", 2)));
  second.commit(3);
  std::string text;
  PartFile(path).read(
      [&](std::span<const std::byte> bytes) { text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); });
  EXPECT_EQ(text, "abcde");
  EXPECT_TRUE(PartFile(path).is_whole());
}

/// A file that says the same as a part, with the right sums.
std::string crafted(const std::string& head_json, const std::string& region, const std::string& counts) {
  const std::string head = "phpc-part 2 " + head_json + "\n";
  return head + region + "\nphpc-part-end {\"bytes\":" + std::to_string(region.size()) + "," + counts +
         ",\"head\":" + std::to_string(sum_of(head)) + ",\"crc32\":" + std::to_string(sum_of(head + region)) + "}\n";
}

std::string head_json(const std::string& job, const std::string& shards,
                      const std::string& rest = R"("region":[0,2],"total":2)") {
  return R"({"version":"1","command":"fft","job":)" + job + R"(,"shard":0,"shards":)" + shards +
         R"(,"unit":"blocks","prologue":"","device":"host",)" + rest + "}";
}

TEST_F(Parts, CraftedOnesAreRefusedInNoTimeAndMemory) {
  const std::string path = folder_ / "crafted";
  const std::string counts = R"("records":0,"until":2)";
  const auto said = [&](const std::string& bytes) {
    put(path, bytes);
    return refusal({path});
  };
  ASSERT_EQ(said(crafted(head_json("{}", "1"), "abc", counts)), "");
  const auto nested = [](std::size_t depth) { return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}"; };
  EXPECT_EQ(said(crafted(head_json(nested(20), "1"), "abc", counts)), "");
  std::string wide = "{\"0\":0";
  for (int i = 1; i < 200000; ++i) {
    wide += ",\"" + std::to_string(i) + "\":0";
  }
  EXPECT_EQ(said(crafted(head_json(wide + "}", "1"), "abc", counts)), "");
  for (const std::string& head :
       {head_json(nested(200000), "1"), head_json("[" + nested(40) + "]", "1"), head_json("[]", "1"), head_json("{}", "0"),
        head_json("{}", "-1"), head_json("{}", "1e300"), head_json("{}", "18446744073709551615"),
        head_json("{}", "1", R"("region":[2,1],"total":2)"), head_json("{}", "1", R"("region":[0,3],"total":2)"),
        head_json("{}", "1", R"("region":[-1,2],"total":2)"), head_json("{}", "1", R"("region":[0],"total":2)"),
        head_json("{}", "1", R"("region":[0,2],"total":2,"prologue":"xy")"),
        head_json("{}", "1", R"("region":[0,2],"total":2,"prologue":"abc")"), std::string("{}"), std::string("[")}) {
    EXPECT_NE(said(crafted(head, "abc", counts)).find("is no whole part"), std::string::npos) << head.substr(0, 200);
  }
  for (const char* const ends : {R"("records":-1,"until":2)", R"("records":0,"until":3)", R"("records":0,"until":1e99)",
                                 R"("records":0)", R"("records":0,"until":2,"bytes":18446744073709551615)"}) {
    EXPECT_NE(said(crafted(head_json("{}", "1"), "abc", ends)).find("is no whole part"), std::string::npos) << ends;
  }
  EXPECT_NE(said(crafted(head_json("{}", "9000000000000000000"), "abc", counts))
                .find("missing: shards 1 to 8999999999999999999 of 9000000000000000000"),
            std::string::npos);
  std::string other = crafted(head_json("{}", "1"), "abc", counts);
  other[20] ^= 1;  // in the head, which is not looked into then
  EXPECT_NE(said(other).find("is no whole part"), std::string::npos);
}

TEST_F(Parts, ManyMissingOnesAreNamedShortly) {
  std::vector<std::string> paths;
  for (index_t shard = 0; shard < 100; shard += shard < 60 ? 2 : 7) {
    paths.push_back(write(header(shard, 5000, 10000), ""));
  }
  const std::string said = refusal(paths);
  EXPECT_NE(said.find("missing: shards 1, 3, 5, 7, "), std::string::npos) << said;
  EXPECT_LT(said.size(), 200U);
  EXPECT_NE(refusal({paths[0], paths[1]}).find("missing: shards 1, 3 to 4999 of 5000"), std::string::npos);
}

TEST_F(Parts, MissingOnesAreNamed) {
  const std::vector<std::string> paths = three();
  EXPECT_NE(refusal({paths[1]}).find("missing: shards 0, 2 of 3"), std::string::npos) << refusal({paths[1]});
  EXPECT_NE(refusal({paths[0], paths[1]}).find("missing: shard 2 of 3"), std::string::npos);
  EXPECT_NE(refusal({}).find("no part"), std::string::npos);
}

TEST_F(Parts, ForeignOnesAreNamed) {
  const std::vector<std::string> paths = three();
  EXPECT_NE(refusal({paths[0], paths[0], paths[1], paths[2]}).find("second part of shard 0"), std::string::npos);
  PartHeader other = header(2, 3, 10);
  other.job = R"({"norm":"backward","inputs":[{"name":"x.npy","bytes":12}]})";
  EXPECT_NE(refusal({paths[0], paths[1], write(other, "")}).find("norm: \"ortho\" and \"backward\""), std::string::npos);
  other = header(2, 3, 10);
  other.version = "1.1";
  EXPECT_NE(refusal({paths[0], paths[1], write(other, "")}).find("fft 1.0 and fft 1.1"), std::string::npos);
  other = header(2, 3, 10);
  other.region_begin = 5;
  EXPECT_NE(refusal({paths[0], paths[1], write(other, "")}).find("begins at 5"), std::string::npos);
  EXPECT_NE(refusal({paths[0], write(header(1, 4, 10), "")}).find("of 3 and of 4 shards"), std::string::npos);
  put(folder_ / "note", "nothing of the kind");
  EXPECT_NE(refusal({paths[0], folder_ / "note"}).find("no part of a sharded run"), std::string::npos);
}

}  // namespace
}  // namespace phpc::io
