// portable-hpc fft --spectrum and --plot.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "cli/commands/fft_cli_fixture.hpp"
#include "support/array_files.hpp"

namespace phpc {
namespace {

using test::FftCommand;
using test::ProgramResult;

class FftSpectrum : public FftCommand {
 protected:
  /// The rows of the table as numbers, and its header in header_.
  std::vector<std::vector<double>> spectrum(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--spectrum", "-q"});
    const ProgramResult result = fft(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<std::vector<double>> rows;
    auto cells = test::cells_of(result.out);
    header_ = cells.front();
    for (std::size_t row = 1; row < cells.size(); ++row) {
      rows.emplace_back();
      for (const std::string& cell : cells[row]) {
        rows.back().push_back(std::stod(cell));
      }
    }
    return rows;
  }
  std::vector<std::string> header_;
};

/// A row must say what the transform's value at its frequency is.
void expect_row(const std::vector<double>& row, double frequency, test::Wide value) {
  const auto magnitude = static_cast<double>(std::hypot(value.re, value.im));
  EXPECT_NEAR(row[0], frequency, 1e-12);
  EXPECT_NEAR(row[1], magnitude, 1e-12);
  EXPECT_NEAR(row[2], static_cast<double>(std::atan2(value.im, value.re)), 1e-10);
  EXPECT_NEAR(row[3], 20 * std::log10(magnitude), 1e-9);
}

TEST_F(FftSpectrum, OfRealSamplesIsOneSided) {
  for (const index_t n : {11, 12}) {
    std::vector<double> x;
    std::vector<test::Wide> wide;
    for (const Complex<double> value : test::random_signal<double>(n, 4)) {
      x.push_back(value.re);
      wide.push_back({value.re, 0});
    }
    const auto expected = test::dft(wide, fft::Direction::forward);
    const auto rows = spectrum({array("x.npy", {n}, x), "--rate", "48"});
    EXPECT_EQ(header_, (std::vector<std::string>{"frequency", "magnitude", "phase", "power_db"}));
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(n / 2 + 1));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      expect_row(rows[k], static_cast<double>(k) * 48 / static_cast<double>(n), expected[k]);
    }
  }
}

TEST_F(FftSpectrum, OfComplexSamplesIsTwoSidedByFrequency) {
  for (const index_t n : {5, 6}) {
    const auto x = test::random_signal<double>(n, 4);
    const auto expected = test::dft(test::widened(x, 0, n), fft::Direction::forward);
    const auto rows = spectrum({array("x.npy", {n}, x)});
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(n));
    for (index_t row = 0; row < n; ++row) {
      const index_t k = row - n / 2;
      expect_row(rows[static_cast<std::size_t>(row)], static_cast<double>(k) / static_cast<double>(n),
                 expected[static_cast<std::size_t>((k + n) % n)]);
    }
  }
}

TEST_F(FftSpectrum, OfSeveralTransformsIsNumbered) {
  const auto x = test::random_signal<double>(2 * 4 * 3, 4);
  const auto rows = spectrum({array("x.npy", {2, 4, 3}, x), "--axes", "1"});
  EXPECT_EQ(header_.front(), "transform");
  ASSERT_EQ(rows.size(), 24U);
  const auto expected = transform_axes(test::widened(x, 0, 24), {2, 4, 3}, {1}, fft::Direction::forward);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t transform = row / 4;
    EXPECT_EQ(rows[row][0], static_cast<double>(transform));
    const std::size_t k = (row % 4 + 2) % 4;
    const test::Wide value = expected[transform / 3 * 12 + k * 3 + transform % 3];
    expect_row({rows[row].begin() + 1, rows[row].end()}, (static_cast<double>(row % 4) - 2) / 4, value);
  }
}

TEST_F(FftSpectrum, WindowsWeightTheSamples) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (const std::string name : {"hann", "hamming", "blackman"}) {
    std::vector<test::Wide> weighted;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i) / 9;
      const double weight = name == "hann"      ? 0.5 - 0.5 * std::cos(angle)
                            : name == "hamming" ? 0.54 - 0.46 * std::cos(angle)
                                                : 0.42 - 0.5 * std::cos(angle) + 0.08 * std::cos(2 * angle);
      weighted.push_back({x[i] * weight, 0});
    }
    const auto expected = test::dft(weighted, fft::Direction::forward);
    const auto rows = spectrum({array("x.npy", {9}, x), "--window", name});
    ASSERT_EQ(rows.size(), 5U);
    for (std::size_t k = 0; k < 3; ++k) {
      expect_row(rows[k], static_cast<double>(k) / 9, expected[k]);
    }
  }
}

TEST_F(FftSpectrum, AmplitudesAreThoseOfTheSinusoids) {
  std::vector<double> x(64);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / 64;
    x[i] = 3 + 0.5 * std::cos(5 * angle) + 0.25 * std::cos(32 * angle);
  }
  const std::string in = array("x.npy", {64}, x);
  for (const std::string window : {"none", "hann", "hamming", "blackman"}) {
    const auto rows = spectrum({in, "--amplitude", "--window", window});
    EXPECT_NEAR(rows[0][1], 3, 1e-12) << window;
    EXPECT_NEAR(rows[5][1], 0.5, 1e-12) << window;
    EXPECT_NEAR(rows[32][1], 0.25, 1e-12) << window;
  }
  EXPECT_NEAR(spectrum({in, "--amplitude", "--shape-out", "128"})[10][1], 0.5, 0.1) << "padded: by the samples there are";
  EXPECT_EQ(fft({in, "--spectrum", "--amplitude", "--norm", "ortho"}).exit_code, 2);
  EXPECT_NEAR(spectrum({in, "--norm", "forward"})[0][1], 3, 1e-12);
}

TEST_F(FftSpectrum, CroppedAndPaddedSamplesAreToldOf) {
  std::vector<double> x(64);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::cos(2 * std::numbers::pi * 4 * static_cast<double>(i) / 32);
  }
  const std::string in = array("x.npy", {64}, x);
  const ProgramResult cropped = fft({in, "--spectrum", "--shape-out", "32"});
  EXPECT_NE(cropped.err.find("17 points from 32 samples each (the first 32 of 64 elements)"), std::string::npos) << cropped.err;
  const ProgramResult padded = fft({in, "--spectrum", "--shape-out", "128"});
  EXPECT_NE(padded.err.find("from 64 samples each (64 elements, padded with zeros to 128)"), std::string::npos) << padded.err;
  EXPECT_NE(fft({in, "--spectrum"}).err.find("33 points from 64 samples each, in"), std::string::npos);
  const ProgramResult transform = fft({in, "-o", directory_ / "y.npy", "--shape-out", "32"});
  EXPECT_NE(transform.err.find("of length 32 (the first 32 of 64 elements), complex128"), std::string::npos) << transform.err;
  const auto json = nlohmann::json::parse(fft({in, "--spectrum", "--shape-out", "32", "--format", "json"}).out);
  EXPECT_EQ(json["meta"]["spectrum"]["samples"], 32);
  // The window is one of the samples that are used: four periods of the tone in them, and nothing two points beside it.
  const auto rows = spectrum({in, "--shape-out", "32", "--window", "hann", "--amplitude"});
  EXPECT_NEAR(rows[4][1], 1, 1e-12);
  EXPECT_NEAR(rows[6][1], 0, 1e-12);
}

TEST_F(FftSpectrum, TheRateOfSoundIsItsOwn) {
  test::write_file(directory_ / "x.wav", test::wav_bytes({.rate = 44100, .samples = test::bytes_of<std::int16_t>({1, 2, 3, 4})}));
  EXPECT_EQ(spectrum({directory_ / "x.wav"}).back()[0], 22050);
  EXPECT_EQ(spectrum({directory_ / "x.wav", "--rate", "8"}).back()[0], 4);
}

TEST_F(FftSpectrum, JsonHoldsWhatWasDone) {
  const std::string in = array<float>("x.npy", {2, 4}, {0, 0, 0, 0, 1, 0, 0, 0});
  const ProgramResult result = fft({in, "--spectrum", "--format", "json", "--window", "hann", "--rate", "10"});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["meta"]["spectrum"]["transforms"], 2);
  EXPECT_EQ(json["meta"]["spectrum"]["window"], "hann");
  EXPECT_EQ(json["meta"]["spectrum"]["rate"], 10);
  EXPECT_EQ(json["rows"].size(), 6U);
  EXPECT_TRUE(json["rows"][0]["power_db"].is_null()) << "of zero";
}

TEST_F(FftSpectrum, PlotsAreDrawnByThemselvesOrBeside) {
  const std::string in = array("x.npy", {3, 16}, std::vector<double>(48, 1.5));
  const std::string plot = directory_ / "x.svg";
  const ProgramResult alone = fft({in, "--plot", plot, "--rate", "100"});
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_EQ(alone.out, "");
  const std::string svg = test::read_file(plot);
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg;
  EXPECT_NE(svg.find("frequency [Hz]"), std::string::npos);
  EXPECT_NE(svg.find("transform 2"), std::string::npos);
  EXPECT_NE(svg.find("magnitude [dB]"), std::string::npos);
  EXPECT_NE(svg.find(">0 Hz</text>"), std::string::npos) << "the peak is named";
  const std::string out = directory_ / "x.fft.npy";
  EXPECT_EQ(fft({in, "-o", out, "--plot", plot}).exit_code, 0);
  EXPECT_EQ(io::read_npy(out).shape(), (std::vector<index_t>{3, 16}));
  EXPECT_NE(fft({in, "--spectrum", "--plot", plot}).out, "");
  std::filesystem::remove(plot);
  EXPECT_EQ(fft({in, "--plot", directory_ / "absent/x.svg"}).exit_code, 1);
}

TEST_F(FftSpectrum, WhatMakesNoSpectrumIsRefused) {
  const std::string in = array("x.npy", {2, 8}, test::random_signal<float>(16, 1));
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--inverse"}, {"--axes", "all"}, {"--rate", "0"}, {"--rate", "-1"}, {"--rate", "nan"}, {"--window", "boxcar"}}) {
    std::vector<std::string> arguments{in, "--spectrum"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult result = fft(arguments);
    EXPECT_EQ(result.exit_code, 2) << options.front();
    EXPECT_EQ(result.out, "");
  }
}

}  // namespace
}  // namespace phpc
