#include "port/output.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "phpc/core/error.hpp"
#include "phpc/io/output_file.hpp"
#include "port/cmake_project.hpp"
#include "port/parsing/spaced_launches.hpp"

namespace phpc::port {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view whole_header = "phpc/cuda/cuda.hpp";

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  PHPC_VALIDATE(in.good() || in.eof(), ErrorKind::io, "cannot read '" + path.string() + "'");
  return std::move(text).str();
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

/// The deepest folder that holds all sources.
fs::path common_folder(const std::vector<std::string>& sources) {
  fs::path common = whole_path(sources.front()).parent_path();
  for (const std::string& source : sources) {
    while (!is_below(whole_path(source), common)) {
      common = common.parent_path();
    }
  }
  return common;
}

/// Our header comes before the user's: CUDA's compiler includes its own before anything else.
void include_ours(const std::string& path, Translation& translation, const Includes& includes) {
  const auto found = includes.files.find(path);
  const std::string line = "#include \"" + std::string(whole_header) + "\"\n";
  if (found == includes.files.end() || !found->second.has_first_include) {
    const std::size_t at = found != includes.files.end() && found->second.tests_cuda ? found->second.first_test : 0;
    translation.edits.add(path, {at, 0, line});
    return;
  }
  const Includes::File& file = found->second;
  const bool ours_leads = file.headers_of_ours.contains(std::string(whole_header)) && file.ours_leads;
  if (!ours_leads || (file.tests_cuda && file.first_test < file.first_include)) {
    translation.edits.add(path, {file.tests_cuda ? std::min(file.first_include, file.first_test) : file.first_include, 0, line});
  }
}

/// The folders of a run: the one that holds all sources, and the one that their translations go to.
struct Folders {
  fs::path sources;
  fs::path outputs;
};

/// Where the translations of files go, by the files' whole paths.
using Targets = std::map<std::string, fs::path>;

fs::path target_of_source(const fs::path& path, const OutputPlan& plan, const Folders& folders) {
  if (!plan.file.empty()) {
    return plan.file == "-" ? fs::path("-") : whole_path(plan.file);
  }
  return (folders.outputs / path.lexically_relative(folders.sources)).replace_extension(".cpp");
}

/// A file from outside of the sources' folder goes into a folder named as its own.
fs::path target_from_outside(const fs::path& path, const Folders& folders) {
  return folders.outputs / path.parent_path().filename() / path.filename();
}

/// Adds the headers that go along: those with edits, and where translations go elsewhere, those beside the sources and those that
/// an include names by a relative path.
void add_headers(const Includes& includes, const Edits& edits, const Folders& folders, Targets& targets) {
  const bool elsewhere = folders.outputs != folders.sources;
  for (const Includes::Header& header : includes.headers) {
    if (targets.contains(header.path)) {
      continue;
    }
    const bool edited = edits.has(header.path);
    if (is_below(header.path, folders.sources)) {
      if (edited || elsewhere) {
        targets[header.path] = folders.outputs / fs::path(header.path).lexically_relative(folders.sources);
      }
    } else if (edited || (elsewhere && header.written.starts_with(".."))) {
      targets[header.path] = target_from_outside(header.path, folders);
    }
  }
}

/// Adds headers without edits from outside of the sources' folder that include some that go along: left where they are, they
/// would find the originals beside them.
void add_includers(const Includes& includes, const Folders& folders, Targets& targets) {
  for (bool more = true; more;) {
    more = false;
    for (const Includes::Header& header : includes.headers) {
      if (targets.contains(header.path) && !is_below(header.path, folders.sources) && !targets.contains(header.includer)) {
        targets[header.includer] = target_from_outside(header.includer, folders);
        more = true;
      }
    }
  }
}

/// Corrects the names of headers that moved away from the files that include them.
void rename_includes(const Includes& includes, const Folders& folders, const Targets& targets, Edits& edits) {
  for (const Includes::Header& header : includes.headers) {
    const auto includer = targets.find(header.includer);
    const auto target = targets.find(header.path);
    if (includer != targets.end() && target != targets.end() && !is_below(header.path, folders.sources)) {
      const std::string name = target->second.lexically_relative(includer->second.parent_path()).string();
      if (name != header.written) {
        edits.add(header.includer, {header.offset, header.length, '"' + name + '"'});
      }
    }
  }
}

/// Makes the edits of all files. Throws Error(usage) where a file would replace one that was read.
std::vector<OutputFile> edited_files(const Targets& targets, const Edits& edits) {
  std::vector<OutputFile> files;
  for (const auto& [path, target] : targets) {
    const std::string original = with_joined_launches(read_file(path));
    std::string text = edits.apply(path, original);
    if (target.string() == path) {
      PHPC_VALIDATE(text == original, ErrorKind::usage,
                    "'" + path + "' would be replaced by its translation; give --out-dir another folder");
      continue;
    }
    files.push_back({target.string(), std::move(text)});
  }
  for (const OutputFile& file : files) {
    PHPC_VALIDATE(!targets.contains(file.path), ErrorKind::usage,
                  "'" + file.path + "' is read and would be replaced; give --out-dir another folder");
  }
  return files;
}

/// The options of a source for a build of its translation: folders that headers go along from are those of the translations,
/// relative to `folders.outputs`.
std::vector<std::string> moved_options(std::vector<std::string> options, const Folders& folders) {
  for (std::size_t i = 0; i + 1 < options.size(); i += 2) {
    const fs::path path = options[i + 1];
    if (path.is_absolute() && folders.outputs != folders.sources && is_below(path, folders.sources) && fs::is_directory(path)) {
      options[i + 1] = path.lexically_relative(folders.sources).string();
    }
  }
  return options;
}

}  // namespace

fs::path whole_path(const fs::path& path) {
  return (path.empty() ? fs::current_path() : fs::absolute(path)).lexically_normal();
}

std::vector<OutputFile> make_outputs(const std::vector<std::string>& sources, const OutputPlan& plan, Translation& translation,
                                     const Includes& includes, const ParserOptions& options) {
  const Folders folders{common_folder(sources),
                        whole_path(plan.folder.empty() ? fs::path(plan.file).parent_path() : fs::path(plan.folder))};
  Targets targets;
  std::vector<TranslatedSource> translated;
  for (const std::string& source : sources) {
    const fs::path path = whole_path(source);
    const fs::path target = target_of_source(path, plan, folders);
    targets[path.string()] = target;
    translated.push_back({target.lexically_relative(folders.outputs).string(), moved_options(options.at(source), folders)});
    include_ours(path.string(), translation, includes);
  }
  add_headers(includes, translation.edits, folders, targets);
  add_includers(includes, folders, targets);
  rename_includes(includes, folders, targets, translation.edits);
  std::vector<OutputFile> files = edited_files(targets, translation.edits);
  if (plan.with_cmake) {
    const std::string name = fs::path(sources.front()).stem().string();
    files.push_back({(folders.outputs / "CMakeLists.txt").string(),
                     cmake_project(name == "main" ? "ported" : name, translated, translation.links_device_code)});
  }
  return files;
}

void write_outputs(const std::vector<OutputFile>& files, const OutputPlan& plan) {
  std::vector<std::unique_ptr<io::OutputFile>> written;
  for (const OutputFile& file : files) {
    if (!plan.folder.empty()) {
      std::error_code error;
      fs::create_directories(fs::path(file.path).parent_path(), error);
      PHPC_VALIDATE(!error, ErrorKind::io, "cannot make the folder of '" + file.path + "' (" + error.message() + ")");
    }
    written.push_back(std::make_unique<io::OutputFile>(file.path));
    written.back()->write(file.text);
  }
  for (const std::unique_ptr<io::OutputFile>& file : written) {
    file->commit();
  }
}

}  // namespace phpc::port
