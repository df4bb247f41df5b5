#include "cli/app.hpp"

#include <CLI/CLI.hpp>

#include "cli/commands/commands.hpp"
#include "cli/documents/help_text.hpp"

namespace phpc::cli {

namespace {

/// `portable-hpc help [COMMAND]`, of the commands that are there before it.
void add_help_command(CLI::App& app, Session& session) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  names.emplace_back("help");
  const auto wanted = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand("help", "Show the help of a command");
  command->add_option("COMMAND", *wanted, "The command; without it the help of the program")->check(CLI::IsMember(names));
  command->footer("Example: portable-hpc help fft");
  command->callback([&app, &session, wanted] {
    session.action = [&app, wanted]() -> int {
      print_help(app, wanted->empty() ? app : *app.get_subcommand(*wanted));
      return exit_success;
    };
  });
}

}  // namespace

std::unique_ptr<CLI::App> make_app(Session& session) {
  auto app = std::make_unique<CLI::App>(
      "Fast Fourier transforms, CRISPR off-target search and batched linear solvers on any device", "portable-hpc");
  app->require_subcommand(0, 1);
  app->set_help_flag("-h,--help", "Print this help and exit");
  app->add_flag("-V,--version", session.show_version,
                "Print the version and exit; with -v also commit, compiler, OpenMP and offload targets");
  app->add_flag("-v,--verbose", session.show_version_detail, "With --version: say more");
  app->add_option("--generate", session.document, "Write the man page or a shell's completion script and exit")
      ->check(CLI::IsMember({"man", "bash", "zsh", "fish"}))
      ->group("");  // hidden
  app->footer("Each command has its own help: portable-hpc fft --help, or portable-hpc help fft");
  add_fft_command(*app, session);
  add_casoff_command(*app, session);
  add_batch_command(*app, session);
  add_devices_command(*app, session);
  add_merge_command(*app, session);
  add_port_command(*app, session);
  add_help_command(*app, session);
  return app;
}

}  // namespace phpc::cli
