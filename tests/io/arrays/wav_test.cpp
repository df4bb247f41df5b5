#include <gtest/gtest.h>

#include "phpc/core/error.hpp"
#include "phpc/io/array_reader.hpp"
#include "support/array_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::bytes_of;
using test::read_all;
using test::wav_bytes;
using test::WavFile;

class Wav : public testing::Test {
 protected:
  ArrayReader open(const std::string& content) {
    test::write_file(directory_ / "sound.wav", content);
    return open_wav(directory_ / "sound.wav");
  }
  std::string error_of(const std::string& content) {
    try {
      open(content);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
  }
  test::TemporaryDirectory directory_;
};

TEST_F(Wav, EverySampleFormat) {
  const auto floats = [&](WavFile file) { return read_all<float>(open(wav_bytes(file))); };
  const auto doubles = [&](WavFile file) { return read_all<double>(open(wav_bytes(file))); };
  EXPECT_EQ(floats({.sample_bytes = 1, .samples = std::string("\x00\x80\xc0", 3)}), (std::vector<float>{-1, 0, 0.5F}));
  EXPECT_EQ(floats({.samples = bytes_of<std::int16_t>({-32768, 16384, 1})}), (std::vector<float>{-1, 0.5F, 0x1p-15F}));
  EXPECT_EQ(floats({.sample_bytes = 3, .samples = std::string("\x00\x00\x80\x01\x00\x00", 6)}),
            (std::vector<float>{-1, 0x1p-23F}));
  EXPECT_EQ(doubles({.sample_bytes = 4, .samples = bytes_of<std::int32_t>({INT32_MIN, 1})}), (std::vector<double>{-1, 0x1p-31}));
  EXPECT_EQ(floats({.codec = 3, .sample_bytes = 4, .samples = bytes_of<float>({-1.5F, 2})}), (std::vector<float>{-1.5F, 2}));
  EXPECT_EQ(doubles({.codec = 3, .sample_bytes = 8, .samples = bytes_of<double>({-1.5, 2})}), (std::vector<double>{-1.5, 2}));
  EXPECT_EQ(floats({.codec = 0xfffe, .samples = bytes_of<std::int16_t>({16384})}), (std::vector<float>{0.5F}));
  EXPECT_EQ(floats({.codec = 0xfffe, .subcodec = 3, .sample_bytes = 4, .samples = bytes_of<float>({7})}),
            (std::vector<float>{7}));
}

TEST_F(Wav, ChannelsAreTheFirstAxis) {
  ArrayReader reader =
      open(wav_bytes({.channels = 3, .rate = 44100, .sample_bytes = 4, .samples = bytes_of<std::int32_t>({1, 2, 3, 4, 5, 6})}));
  EXPECT_EQ(reader.shape(), (std::vector<index_t>{3, 2}));
  EXPECT_EQ(reader.type(), NpyType::float64);
  EXPECT_EQ(reader.rate(), 44100);
  const double one = 0x1p-31;
  EXPECT_EQ(read_all<double>(std::move(reader), 2), (std::vector<double>{one, 4 * one, 2 * one, 5 * one, 3 * one, 6 * one}));
}

TEST_F(Wav, OtherChunksAreSkipped) {
  const std::string chunks = test::riff_chunk("LIST", "odd") + test::riff_chunk("bext", std::string(10000, 'x'));
  const std::string samples = bytes_of<std::int16_t>({1, 2, 3});
  const std::string file = wav_bytes({.samples = samples, .chunks_before = chunks}) + test::riff_chunk("id3 ", "after");
  EXPECT_EQ(read_all<float>(open(file)).size(), 3U);
  const test::FeedingPipe pipe(directory_ / "pipe", file);
  EXPECT_EQ(read_all<float>(open_array(directory_ / "pipe", {}), 2).size(), 3U) << "on a pipe too";
}

TEST_F(Wav, WideAndStreamedSizes) {
  const std::string samples = bytes_of<std::int16_t>({1, 2, 3, 4});
  for (const std::string form : {"RF64", "BW64"}) {
    EXPECT_EQ(open(wav_bytes({.samples = samples, .form = form})).shape(), (std::vector<index_t>{1, 4})) << form;
  }
  // Written to a pipe: the sizes were not known.
  const WavFile streamed{.channels = 2, .samples = samples + "ab", .data_bytes = 0xffffffff, .riff_bytes = 0xffffffff};
  EXPECT_EQ(open(wav_bytes(streamed)).shape(), (std::vector<index_t>{2, 2}));
  const test::FeedingPipe pipe(directory_ / "pipe", wav_bytes(streamed));
  EXPECT_THROW(open_wav(directory_ / "pipe"), Error);
}

TEST_F(Wav, BadFilesAreErrors) {
  const std::string samples = bytes_of<std::int16_t>({1, 2, 3, 4});
  const std::string good = wav_bytes({.samples = samples});
  EXPECT_NE(error_of("").find("is empty"), std::string::npos);
  EXPECT_NE(error_of("hello, world").find("no WAV file"), std::string::npos);
  EXPECT_NE(error_of("RIFF\x04\0\0\0"
                     "AVI ")
                .find("cut short"),
            std::string::npos)
      << "cut by the zero bytes of the literal";
  EXPECT_NE(error_of("RIFFabcdAVI LIST").find("another kind"), std::string::npos);
  for (std::size_t bytes = 1; bytes < good.size(); ++bytes) {
    EXPECT_NE(error_of(good.substr(0, bytes)), "") << bytes;
  }
  EXPECT_NE(error_of(wav_bytes({.samples = samples, .data_bytes = 100})).find("contradict"), std::string::npos);
  EXPECT_NE(error_of(wav_bytes({.samples = samples, .data_bytes = 100, .riff_bytes = 0})).find("8 of 100 bytes"),
            std::string::npos);
  EXPECT_NE(
      error_of(wav_bytes({.samples = samples, .form = "RF64", .data_bytes = 1LL << 62, .riff_bytes = 0})).find("contradict"),
      std::string::npos);
  EXPECT_NE(error_of(wav_bytes({.samples = samples, .data_bytes = 7})).find("ends within a sample"), std::string::npos);
  EXPECT_NE(error_of(wav_bytes({.codec = 2, .samples = samples})).find("codec 2"), std::string::npos);
  EXPECT_NE(error_of(wav_bytes({.codec = 3, .samples = samples})).find("codec 3 in 2 bytes"), std::string::npos);
  EXPECT_NE(error_of(wav_bytes({.channels = 0, .samples = samples})).find("malformed format"), std::string::npos);
  EXPECT_NE(error_of(wav_bytes({.rate = 0, .samples = samples})).find("malformed format"), std::string::npos);
  std::string no_format = good;
  no_format.replace(12, 4, "xxxx");
  EXPECT_NE(error_of(no_format).find("before their format"), std::string::npos);
}

}  // namespace
}  // namespace phpc::io
