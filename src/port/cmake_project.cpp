#include "port/cmake_project.hpp"

#include <algorithm>
#include <string_view>

namespace phpc::port {

namespace {

/// Text with a backslash before each letter that is one of `before`.
std::string with_backslashes(const std::string& text, std::string_view before) {
  std::string changed;
  for (const char letter : text) {
    if (before.find(letter) != std::string_view::npos) {
      changed += '\\';
    }
    changed += letter;
  }
  return changed;
}

/// Text as a part of an argument in quotes of CMake's language, whose lists are parted by semicolons.
std::string escaped(const std::string& text) {
  return with_backslashes(text, "\\\"$;");
}

/// Text as one word of a command line.
std::string one_word(const std::string& text) {
  return with_backslashes(text, " \t'\"\\");
}

/// The property that CMake has for an option: a list of folders, of macros, or of words of the command line.
std::string_view property_of(const std::string& option) {
  return option == "-I" || option == "-isystem" ? "INCLUDE_DIRECTORIES"
         : option == "-D"                       ? "COMPILE_DEFINITIONS"
                                                : "COMPILE_OPTIONS";
}

/// Sets the options of `owner`: "TARGET name" or "SOURCE name".
std::string options_text(const std::string& owner, const std::vector<std::string>& options) {
  std::string text;
  for (std::size_t i = 0; i + 1 < options.size(); i += 2) {
    const std::string& option = options[i];
    const std::string& value = options[i + 1];
    const std::string_view property = property_of(option);
    const bool is_macro = option == "-D" || option == "-U";
    const std::string folder = is_macro || value.starts_with("/") ? "" : "${CMAKE_CURRENT_SOURCE_DIR}/";
    text += "set_property(" + owner + " APPEND PROPERTY " + std::string(property) + " \"";
    text += property == "COMPILE_OPTIONS" ? "SHELL:" + option + " " + folder + escaped(one_word(value)) : folder + escaped(value);
    text += "\")\n";
  }
  return text;
}

}  // namespace

std::string cmake_project(const std::string& name, const std::vector<TranslatedSource>& sources, bool links_device_code) {
  std::string text =
      "cmake_minimum_required(VERSION 3.25)\n"
      "find_program(CLANG clang++-19)  # its offload images; any other compiler builds for host threads\n"
      "if(CLANG AND NOT DEFINED CMAKE_CXX_COMPILER)\n"
      "  set(CMAKE_CXX_COMPILER ${CLANG})\n"
      "endif()\n"
      "project(" +
      name +
      " LANGUAGES CXX)\n"
      "if(NOT CMAKE_BUILD_TYPE)\n"
      "  set(CMAKE_BUILD_TYPE Release)\n"
      "endif()\n"
      "set(CMAKE_CXX_FLAGS_RELEASE -O3)  # without NDEBUG: assert() checks, as nvcc has it\n"
      "find_package(portable_hpc REQUIRED)\n"
      "add_executable(" +
      name;
  for (const TranslatedSource& source : sources) {
    text += " " + source.name;
  }
  text += ")\n";
  const bool are_alike =
      std::ranges::all_of(sources, [&](const TranslatedSource& source) { return source.options == sources.front().options; });
  if (are_alike) {
    text += options_text("TARGET " + name, sources.front().options);
  } else {
    for (const TranslatedSource& source : sources) {
      text += options_text("SOURCE " + source.name, source.options);
    }
  }
  if (links_device_code) {
    text += "set_target_properties(" + name + " PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n";
  }
  return text + "target_link_libraries(" + name + " PRIVATE phpc::cuda)\n";
}

}  // namespace phpc::port
