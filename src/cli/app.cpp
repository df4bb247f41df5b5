#include "cli/app.hpp"

#include <CLI/CLI.hpp>

namespace phpc::cli {

std::unique_ptr<CLI::App> make_app(Session& session) {
  auto app = std::make_unique<CLI::App>(
      "Fast Fourier transforms, CRISPR off-target search and batched linear solvers on any device", "portable-hpc");
  app->require_subcommand(0, 1);
  app->set_help_flag("-h,--help", "Print this help and exit");
  app->add_flag("--version", session.show_version,
                "Print the version and exit; with -v also commit, compiler, OpenMP and offload targets");
  app->add_flag("-v,--verbose", session.show_version_detail, "With --version: say more");
  app->add_option("--generate", session.document, "Write the man page or a shell's completion script and exit")
      ->check(CLI::IsMember({"man", "bash", "zsh", "fish"}))
      ->group("");  // hidden
  app->footer("Each subcommand has its own help: portable-hpc fft --help");
  add_fft_command(*app, session);
  add_casoff_command(*app, session);
  add_batch_command(*app, session);
  add_devices_command(*app, session);
  add_merge_command(*app, session);
  return app;
}

}  // namespace phpc::cli
