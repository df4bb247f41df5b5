#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/process/translator.hpp"

namespace phpc::cli {

namespace {

/// Where the words after `port` would go; the translator reads them itself.
struct PortOptions {
  std::vector<std::string> lists[3];
  std::string texts[4];
  bool flags[6] = {};
};

}  // namespace

// The translator (src/port) reads its command line by itself and is started before this tree is made. What stands here is for the
// help, the man page and the completions; tests/cli compares it with the translator's own help.
void add_port_command(CLI::App& app, Session& session) {
  CLI::App* const command =
      app.add_subcommand("port", "Translate CUDA C++ sources into C++ that runs on host threads and GPUs of several vendors");
  const auto options = std::make_shared<PortOptions>();
  auto& [sources, include_folders, definitions] = options->lists;
  auto& [file, folder, build_folder, cuda_path] = options->texts;
  auto& [check, json, keep_going, with_cmake, openmp, precompile] = options->flags;
  command->add_option("sources", sources, "CUDA sources")->required()->type_name("FILE.cu");
  command->add_option("-o,--output", file, "Where to write the translation of one source")->type_name("FILE.cpp");
  command->add_option("--out-dir", folder, "Folder for the translations and the headers that go along")->type_name("DIR");
  command->add_flag("--check", check, "Say what would be refused and why; write nothing");
  command->add_flag("--json", json, "What is refused as JSON on standard output");
  command->add_flag("--keep-going", keep_going, "Translate the rest, with an #error in place of what is refused");
  command->add_flag("--cmake", with_cmake, "Write a CMakeLists.txt beside the translation");
  command->add_option("-p", build_folder, "Build folder with compile_commands.json")->type_name("DIR");
  command->add_option("-I", include_folders, "Folder of headers")->type_name("DIR");
  command->add_option("-D", definitions, "Macro")->type_name("NAME[=VALUE]");
  command->add_flag("--openmp", openmp, "The sources are compiled with OpenMP for the host: _OPENMP is defined in them");
  command->add_option("--cuda-path", cuda_path, "CUDA toolkit whose headers may be used too")->type_name("DIR");
  command->add_flag("--precompile", precompile,
                    "No translation: parse the headers ahead and keep them beside this program, for translations to come");
  command->footer("Example: portable-hpc port matmul.cu -o matmul.cpp --cmake");
  command->callback([options, &session] { session.action = []() -> int { fail_without_translator(); }; });
}

}  // namespace phpc::cli
