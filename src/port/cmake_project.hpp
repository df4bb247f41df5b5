#pragma once
#include <string>
#include <vector>

namespace phpc::port {

/// A translated source as a build sees it.
struct TranslatedSource {
  std::string name;  ///< relative to the CMakeLists.txt
  /// The options that the original was parsed with, in pairs: {"-I", "/folder", "-D", "NAME=1"}. Paths are absolute, or relative
  /// to the CMakeLists.txt.
  std::vector<std::string> options;
};

/// The text of a CMakeLists.txt that makes one executable of translated sources. Options that all have are the executable's.
/// `links_device_code`: kernels use device code of other sources.
std::string cmake_project(const std::string& name, const std::vector<TranslatedSource>& sources, bool links_device_code);

}  // namespace phpc::port
