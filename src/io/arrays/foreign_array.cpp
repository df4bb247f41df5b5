#include "io/arrays/foreign_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

/// {0} stands for the path, which shells take as it is where it has no blanks.
struct Foreign {
  std::string_view key;  ///< first bytes, or suffix
  std::string_view advice;
};

using namespace std::string_view_literals;

constexpr std::string_view from_archive =
    "is a NumPy archive (.npz) of several arrays; save one of them: "
    "numpy.save('x.npy', numpy.load('{0}')['NAME'])";
constexpr std::string_view from_hdf5 =
    "is an HDF5 file (.h5, or MATLAB's since 7.3); save one data set of it: "
    "numpy.save('x.npy', h5py.File('{0}')['NAME'][()])";
constexpr std::string_view from_matlab =
    "is a MATLAB file; save one array of it: "
    "numpy.save('x.npy', scipy.io.loadmat('{0}')['NAME'])";
constexpr std::string_view from_table =
    "is a table in text; make an array of it: numpy.save('x.npy', numpy.loadtxt('{0}', "
    "delimiter={1}))";
constexpr std::string_view from_sound = "is sound in another format than WAV; convert it: ffmpeg -i '{0}' x.wav";
constexpr std::string_view bare_of = "is no .npy or WAV file, and its name says bare elements; say their type: --dtype {1}";

constexpr Foreign beginnings[] = {
    {"PK\x03\x04", from_archive},
    {"PK\x05\x06", from_archive},
    {"\x1f\x8b", "is compressed by gzip; unpack it into a pipe: gzip -dc '{0}' | portable-hpc fft - ..."},
    {"BZh", "is compressed by bzip2; unpack it into a pipe: bzip2 -dc '{0}' | portable-hpc fft - ..."},
    {"\xfd"
     "7zXZ",
     "is compressed by xz; unpack it into a pipe: xz -dc '{0}' | portable-hpc fft - ..."},
    {"\x28\xb5\x2f\xfd", "is compressed by Zstandard; unpack it into a pipe: zstd -dc '{0}' | portable-hpc fft - ..."},
    {"\x89HDF\r\n\x1a\n", from_hdf5},
    {"MATLAB 5.0 MAT-file", from_matlab},
    {"%%MatrixMarket",
     "is a MatrixMarket file; make an array of it: numpy.save('x.npy', scipy.io.mmread('{0}')), or solve systems "
     "with it: portable-hpc batch"},
    {"fLaC", from_sound},
    {"OggS", from_sound},
    {"ID3", from_sound},
    {"FORM", from_sound},
    {"caff", from_sound},
    {".snd", from_sound},
    {"SIMPLE  =", "is a FITS file; save one image of it: numpy.save('x.npy', astropy.io.fits.getdata('{0}'))"},
    {"CDF\x01"sv, "is a NetCDF file; save one variable of it with xarray and numpy.save"},
    {"CDF\x02"sv, "is a NetCDF file; save one variable of it with xarray and numpy.save"},
    {"\x89PNG", "is a picture; make an array of it: numpy.save('x.npy', numpy.asarray(PIL.Image.open('{0}')))"},
    {"\xff\xd8\xff", "is a picture; make an array of it: numpy.save('x.npy', numpy.asarray(PIL.Image.open('{0}')))"},
    {"II*\0"sv, "is a TIFF picture; make an array of it: numpy.save('x.npy', tifffile.imread('{0}'))"},
    {"MM\0*"sv, "is a TIFF picture; make an array of it: numpy.save('x.npy', tifffile.imread('{0}'))"},
    {"phpc-part ", "is a part that --shard wrote; put all parts together: portable-hpc merge"},
    {"\x80\x04", "is a Python pickle; save its array with numpy.save"},
};

/// Suffixes of bare elements, with the type that they usually hold.
constexpr Foreign bare_types[] = {
    {".f16", "f16"},
    {".f32", "f32"},
    {".f64", "f64"},
    {".c64", "c64"},
    {".c128", "c128"},
    {".cf32", "c64"},
    {".cf64", "c128"},
    {".fc32", "c64"},
    {".cfile", "c64"},
    {".complex", "c64"},
    {".s16", "i16"},
    {".s8", "i8"},
    {".u8", "u8"},
    {".cu8", "cu8"},
    {".cs8", "ci8"},
    {".cs16", "ci16"},
    {".ci16", "ci16"},
    {".sc16", "ci16"},
    {".pcm", "i16"},
    {".iq", "ci16, or c64, cu8, ci8"},
    {".raw", "f32, or another one"},
    {".bin", "f32, or another one"},
    {".dat", "f32, or another one"},
    {".sigmf-data", "c64, or what core:datatype of its .sigmf-meta says (cf32, ci16, ...)"},
};

/// Numbers and what stands between them.
bool looks_like_table(std::string_view bytes) {
  return bytes.find_first_of("0123456789") != std::string_view::npos &&
         bytes.find_first_of(",;\t \n") != std::string_view::npos && std::all_of(bytes.begin(), bytes.end(), [](char letter) {
           return (letter >= ' ' && letter <= '~') || letter == '\t' || letter == '\n' || letter == '\r';
         });
}

}  // namespace

std::string foreign_array_advice(std::string_view first_bytes, const std::string& path) {
  for (const Foreign& one : beginnings) {
    if (first_bytes.starts_with(one.key)) {
      return fmt::format(fmt::runtime(one.advice), path);
    }
  }
  const std::string suffix = lower_case(std::filesystem::path(path).extension().string());
  const bool is_table = suffix == ".csv" || suffix == ".tsv" || suffix == ".txt";
  if (looks_like_table(first_bytes) &&
      (is_table || first_bytes.find_first_not_of("0123456789+-.eEnaif,;\t \r\n") == std::string_view::npos)) {
    const char* const delimiter = first_bytes.find(',') != std::string_view::npos    ? "','"
                                  : first_bytes.find(';') != std::string_view::npos  ? "';'"
                                  : first_bytes.find('\t') != std::string_view::npos ? "'\\t'"
                                                                                     : "None";
    return fmt::format(fmt::runtime(from_table), path, delimiter);
  }
  for (const Foreign& one : bare_types) {
    if (suffix == one.key) {
      return fmt::format(fmt::runtime(bare_of), path, one.advice);
    }
  }
  return "";
}

}  // namespace phpc::io
