#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "phpc/core/error.hpp"
#include "port/invocation.hpp"
#include "port/output.hpp"
#include "port/parsing/unit.hpp"
#include "port/precompiled/precompile.hpp"

/// libexec/portable-hpc/port, which `portable-hpc port` starts: CUDA C++ sources become C++ over this program's headers.
namespace {

using namespace phpc;
using namespace phpc::port;

/// The exit status after a command line that means nothing.
constexpr int usage_status = 2;

struct Options {
  std::vector<std::string> sources;
  OutputPlan output;
  std::string build_folder;
  std::string cuda_path;
  std::vector<std::string> include_folders;
  std::vector<std::string> definitions;
  bool check = false;
  bool json = false;
  bool keep_going = false;
  bool openmp = false;
  bool precompile = false;
};

std::vector<std::string> written_options(const Options& options) {
  std::vector<std::string> arguments;
  for (const std::string& folder : options.include_folders) {
    arguments.insert(arguments.end(), {"-I", whole_path(folder).string()});
  }
  for (const std::string& definition : options.definitions) {
    arguments.insert(arguments.end(), {"-D", definition});
  }
  return arguments;
}

/// What reading all sources gives: the translation, and what hinders it.
struct Reading {
  Translation translation;
  Includes includes;
  /// What hinders the translation, but for refusals, in lines.
  std::vector<std::string> errors;
  std::map<std::string, std::size_t> refused;  ///< how much, by source
  std::set<std::string> unread;                ///< sources that the compiler finds errors in
  ParserOptions options;
};

/// The options of a unit that a build needs too, in pairs: all but OpenMP, which every translation is compiled with.
std::vector<std::string> options_with_values(const Unit& unit) {
  std::vector<std::string> options;
  for (std::size_t i = 0; i + 1 < unit.arguments.size(); ++i) {
    const std::string& option = unit.arguments[i];
    if (option == "-fopenmp") {
      continue;
    }
    const std::string& value = unit.arguments[++i];
    const bool is_path = option != "-D" && option != "-U";
    options.insert(options.end(), {option, is_path ? whole_path(std::filesystem::path(unit.directory) / value).string() : value});
  }
  return options;
}

Unit unit_of(const std::string& source, const Options& options) {
  PHPC_VALIDATE(std::filesystem::is_regular_file(source), ErrorKind::io, "no file '" + source + "'");
  Unit unit{source, std::filesystem::current_path().string(), {}, {}};
  if (!options.build_folder.empty()) {
    std::string why;
    PHPC_VALIDATE(database_options(options.build_folder, source, &unit, &why), ErrorKind::io, why);
  }
  for (std::string& argument : written_options(options)) {
    unit.arguments.push_back(std::move(argument));
  }
  if (options.openmp) {
    unit.arguments.emplace_back("-fopenmp");
  }
  return unit;
}

/// The lines without those that were there before.
std::vector<std::string> each_once(const std::vector<std::string>& lines) {
  std::set<std::string> known;
  std::vector<std::string> kept;
  std::ranges::copy_if(lines, std::back_inserter(kept), [&](const std::string& line) { return known.insert(line).second; });
  return kept;
}

Installation this_installation() {
  std::error_code ignored;
  return find_installation(std::filesystem::read_symlink("/proc/self/exe", ignored).string());
}

Reading read_sources(const std::vector<std::string>& sources, const Options& options) {
  const Installation installation = this_installation();
  Reading reading;
  Translation& translation = reading.translation;
  translation.keep_going = options.keep_going;
  for (const std::string& source : sources) {
    Unit unit = unit_of(source, options);
    reading.options[source] = options_with_values(unit);
    translation.with_openmp = std::find(unit.arguments.begin(), unit.arguments.end(), "-fopenmp") != unit.arguments.end();
    unit.precompiled = may_use_precompiled(unit.arguments) ? installation.precompiled : "";
    unit.arguments = parser_arguments(installation, options.cuda_path, unit.arguments);
    const std::size_t before = translation.refusals.all().size();
    const std::vector<std::string> errors = each_once(read_unit(unit, translation, reading.includes));
    const std::size_t refused = reading.refused[source] = translation.refusals.all().size() - before;
    // Where a library or a name is refused, the compiler's errors that follow from it are not told.
    if (!errors.empty() && refused == 0) {
      reading.unread.insert(source);
      constexpr std::size_t most = 20;
      reading.errors.insert(reading.errors.end(), errors.begin(), errors.begin() + std::min(most, errors.size()));
      if (errors.size() > most) {
        reading.errors.push_back(source + ": and " + std::to_string(errors.size() - most) + " errors more");
      }
    } else if (!errors.empty() && options.keep_going) {
      reading.errors.push_back(source + ": cannot go on: what is refused leaves names unknown");
    }
  }
  return reading;
}

/// The sources without those that others of them include; all where every one is included by another.
std::vector<std::string> without_included(const std::vector<std::string>& sources, const Includes& includes) {
  std::vector<std::string> kept;
  for (const std::string& source : sources) {
    const std::string path = whole_path(source).string();
    const auto includer = std::find_if(includes.headers.begin(), includes.headers.end(), [&](const Includes::Header& header) {
      return header.path == path && header.includer != path;
    });
    if (includer == includes.headers.end()) {
      kept.push_back(source);
    } else {
      std::fprintf(stderr, "%s: note: translated as a header, which %s includes\n", source.c_str(), includer->includer.c_str());
    }
  }
  return kept.empty() ? sources : kept;
}

void tell(const Reading& reading, const Options& options) {
  for (const std::string& error : reading.errors) {
    std::fprintf(stderr, "%s\n", error.c_str());
  }
  for (const Refusal& warning : reading.translation.warnings.all()) {
    std::fprintf(stderr, "%s\n", to_warning(warning).c_str());
  }
  const std::vector<Refusal>& refusals = reading.translation.refusals.all();
  if (options.json) {
    std::printf("%s\n", to_json(refusals).c_str());
    return;
  }
  for (const Refusal& refusal : refusals) {
    std::fprintf(options.check ? stdout : stderr, "%s\n", to_line(refusal).c_str());
  }
  if (options.check) {
    for (const auto& [source, count] : reading.refused) {
      std::printf("%s: %s\n", source.c_str(),
                  count == 0 ? reading.unread.contains(source) ? "see above" : "can be translated"
                             : (std::to_string(count) + " refused").c_str());
    }
  }
}

int precompile() {
  const Installation installation = this_installation();
  const std::vector<std::string> errors = write_precompiled_headers(
      installation.parser_headers + "/phpc_precompiled.h", parser_arguments(installation, "", {}), installation.precompiled);
  for (const std::string& error : errors) {
    std::fprintf(stderr, "portable-hpc port: %s\n", error.c_str());
  }
  return errors.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run(const Options& options) {
  std::vector<std::string> sources = options.sources;
  Reading reading = read_sources(sources, options);
  // `src/*.cu` names sources too that others include, and that mean nothing by themselves.
  if (std::vector<std::string> kept = without_included(sources, reading.includes); kept.size() < sources.size()) {
    sources = std::move(kept);
    reading = read_sources(sources, options);
  }
  tell(reading, options);
  const bool is_refused = !reading.translation.refusals.all().empty();
  if (!reading.errors.empty() || (is_refused && !options.keep_going)) {
    return EXIT_FAILURE;
  }
  if (!options.check) {
    write_outputs(make_outputs(sources, options.output, reading.translation, reading.includes, reading.options), options.output);
  }
  return is_refused ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** words) {
  Options options;
  CLI::App app{"Translate CUDA C++ sources into C++ that runs on host threads and GPUs of several vendors", "portable-hpc port"};
  app.add_option("sources", options.sources, "CUDA sources")->type_name("FILE.cu");
  auto* const file =
      app.add_option("-o,--output", options.output.file, "where to write the translation of one source; - is standard output")
          ->type_name("FILE.cpp");
  auto* const folder =
      app.add_option("--out-dir", options.output.folder, "folder for the translations and the headers that go along")
          ->type_name("DIR");
  auto* const check = app.add_flag("--check", options.check, "say what would be refused and why; write nothing");
  app.add_flag("--json", options.json, "what is refused as JSON on standard output");
  app.add_flag("--keep-going", options.keep_going, "translate the rest, with an #error in place of what is refused");
  app.add_flag("--cmake", options.output.with_cmake, "write a CMakeLists.txt beside the translation");
  app.add_option("-p", options.build_folder, "build folder with compile_commands.json")->type_name("DIR");
  app.add_option("-I", options.include_folders, "folder of headers")->type_name("DIR")->allow_extra_args(false);
  app.add_option("-D", options.definitions, "macro")->type_name("NAME[=VALUE]")->allow_extra_args(false);
  app.add_flag("--openmp", options.openmp, "the sources are compiled with OpenMP for the host: _OPENMP is defined in them");
  app.add_option("--cuda-path", options.cuda_path, "CUDA toolkit whose headers may be used too")->type_name("DIR");
  app.add_flag("--precompile", options.precompile,
               "no translation: parse the headers ahead and keep them beside this program, for translations to come");
  file->excludes(folder);
  check->excludes(file)->excludes(folder);
  try {
    app.parse(count, words);
    if (options.precompile) {
      PHPC_VALIDATE(count == 2, ErrorKind::usage, "--precompile stands alone");
      return precompile();
    }
    PHPC_VALIDATE(!options.sources.empty(), ErrorKind::usage, "which sources? give them, as in: portable-hpc port x.cu -o x.cpp");
    PHPC_VALIDATE(options.check || !options.output.file.empty() || !options.output.folder.empty(), ErrorKind::usage,
                  "where to? give -o FILE.cpp, --out-dir DIR or --check");
    PHPC_VALIDATE(options.output.file.empty() || options.sources.size() == 1, ErrorKind::usage,
                  "-o names one file, and there are several sources; give --out-dir");
    return run(options);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      return app.exit(error);  // --help
    }
    std::fprintf(stderr, "portable-hpc port: %s; see portable-hpc port --help\n", error.what());
    return usage_status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "portable-hpc port: %s\n", error.what());
    const auto* const known = dynamic_cast<const Error*>(&error);
    return known != nullptr && known->kind() == ErrorKind::usage ? usage_status : EXIT_FAILURE;
  }
}
