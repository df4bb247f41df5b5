#pragma once
#include <string>
#include <vector>

#include "port/edits/edits.hpp"
#include "port/edits/messages.hpp"

namespace phpc::port {

struct Translation;
struct Includes;

/// A source as it is to be read.
struct Unit {
  std::string file;       ///< as the user gave it
  std::string directory;  ///< where its options hold
  std::vector<std::string> arguments;
  std::string precompiled;  ///< headers parsed ahead, which it may use; "" for none
};

/// Reads a source and adds what is to be edited in it and its headers. Returns the errors of the compiler, which are those of the
/// source: "file:line: error: ...".
std::vector<std::string> read_unit(const Unit& unit, Translation& translation, Includes& includes);

/// The options that a compilation database has for a file; what is wrong with the database goes to `error`.
bool database_options(const std::string& build_folder, const std::string& file, Unit* unit, std::string* error);

}  // namespace phpc::port
