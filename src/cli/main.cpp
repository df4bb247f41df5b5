#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>

#include "cli/app.hpp"
#include "cli/commands/casoff_explain.hpp"
#include "cli/documents/completions.hpp"
#include "cli/documents/help_text.hpp"
#include "cli/documents/man_page.hpp"
#include "cli/options/command_line.hpp"
#include "cli/process/signals.hpp"
#include "cli/process/standard_descriptors.hpp"
#include "cli/process/translator.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/last_words.hpp"
#include "cli/session/messages.hpp"
#include "cli/session/version.hpp"
#include "jobs/processors.hpp"
#include "phpc/exec/device.hpp"

namespace {

using namespace phpc;
using namespace phpc::cli;

std::string document(const std::string& kind, const CLI::App& app) {
  const CommandEntry program = describe(app);
  if (kind == "man") {
    return man_page(program, version());
  }
  if (kind == "bash") {
    return bash_completion(program);
  }
  return kind == "zsh" ? zsh_completion(program) : fish_completion(program);
}

int refuse(Session& session, const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& chosen = chosen_command(app);
  session.subcommand = &chosen == &app ? "" : chosen.get_name();
  session.error(fmt::format("{}; see portable-hpc {}{}--help", complaint(app, error), session.subcommand,
                            session.subcommand.empty() ? "" : " "));
  return exit_usage;
}

int act(Session& session, const CLI::App& app) {
  if (session.show_version) {
    fmt::print("{}", session.show_version_detail ? version_in_detail() : fmt::format("portable-hpc {}\n", version()));
    return exit_success;
  }
  if (!session.document.empty()) {
    fmt::print("{}", document(session.document, app));
    return exit_success;
  }
  if (!session.action) {
    log_lines(help_text(describe(app), text_width(STDERR_FILENO)));
    return exit_usage;
  }
  const CLI::App& chosen = chosen_command(app);
  session.subcommand = &chosen == &app ? "" : chosen.get_name();
  return session.action();
}

int run(int argc, char** argv) {
  Session session({argv, argv + argc});
  try {
    if (asks_for_translator(argc, argv)) {  // and it did not take over
      session.subcommand = "port";
      fail_without_translator();
    }
    const auto app = make_app(session);
    std::vector<std::string> arguments = arranged(*app, {argv + 1, argv + argc});
    protect_explained_rows(arguments);
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    try {
      app->parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
      print_help(*app, chosen_command(*app));
      return exit_success;
    } catch (const CLI::ParseError& error) {
      return refuse(session, *app, error);
    }
    return act(session, *app);
  } catch (...) {
    return report_failure(session);
  }
}

/// What help and version printed must have arrived; data has its own way out (io::OutputFile), with its own check.
int with_standard_output_checked(int code) {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || !std::cout) {
    if (errno == EPIPE) {
      return exit_unread;
    }
    log_line(fmt::format("portable-hpc: cannot write standard output ({})", std::generic_category().message(errno)));
    return exit_failure;
  }
  return code;
}

/// Ends in one line whatever is thrown, where nothing can be allocated too; the option tree takes some thousand allocations.
int run_guarded(int argc, char** argv) {
  try {
    return with_standard_output_checked(run(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fputs(out_of_memory, stderr);
    return exit_failure;
  }
}

}  // namespace

int main(int argc, char** argv) {
  fill_standard_descriptors();
  become_translator(argc, argv, environ);
  install_signal_handlers(argc, argv);
  jobs::remember_processors();
  install_last_words();
  exec::exit_process(run_guarded(argc, argv));
}
