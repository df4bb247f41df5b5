#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <new>
#include <system_error>

#include "cli/app.hpp"
#include "cli/casoff_explain.hpp"
#include "cli/completions.hpp"
#include "cli/last_words.hpp"
#include "cli/man_page.hpp"
#include "cli/processors.hpp"
#include "cli/shard.hpp"
#include "cli/signals.hpp"
#include "cli/version.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/device.hpp"

namespace {

using namespace phpc;
using namespace phpc::cli;

int report(const Session& session, const std::string& message) {
  say(fmt::format("portable-hpc{}{}: {}\n", session.subcommand.empty() ? "" : " ", session.subcommand, message));
  return exit_failure;
}

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

int run(int argc, char** argv) {
  Session session({argv, argv + argc});
  const auto app = make_app(session);
  std::vector<std::string> arguments(argv + 1, argv + argc);
  protect_explained_rows(arguments);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app->parse(std::move(arguments));
  } catch (const CLI::CallForHelp& help) {
    return app->exit(help);
  } catch (const CLI::ParseError& error) {
    const auto chosen = app->get_subcommands();
    session.subcommand = chosen.empty() ? "" : chosen.front()->get_name();
    report(session, fmt::format("{}; see portable-hpc {}{}--help", error.what(), session.subcommand,
                                session.subcommand.empty() ? "" : " "));
    return exit_usage;
  }
  const auto chosen = app->get_subcommands();
  if (!chosen.empty()) {
    session.subcommand = chosen.front()->get_name();
  }
  try {
    if (session.show_version) {
      fmt::print("{}", session.show_version_detail ? version_in_detail() : fmt::format("portable-hpc {}\n", version()));
      return exit_success;
    }
    if (!session.document.empty()) {
      fmt::print("{}", document(session.document, *app));
      return exit_success;
    }
    if (!session.action) {
      say(app->help());
      return exit_usage;
    }
    return session.action();
  } catch (const Stopped& stopped) {
    report(session, stopped.message);
    return exit_checkpoint;
  } catch (const Error& error) {
    report(session, error.what());
    return error.kind() == ErrorKind::usage ? exit_usage : exit_failure;
  } catch (const std::bad_alloc&) {
    return report(session, "out of host memory; give smaller input");
  } catch (const std::exception& error) {
    return report(session, error.what());
  }
}

/// What help and version printed must have arrived; data has its own way out (io::OutputFile), with its own check.
int with_standard_output_checked(int code) {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || !std::cout) {
    say(fmt::format("portable-hpc: cannot write standard output ({})\n", std::generic_category().message(errno)));
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
  } catch (const std::exception& error) {
    std::fprintf(stderr, "portable-hpc: %s\n", error.what());
  }
  return exit_failure;
}

}  // namespace

int main(int argc, char** argv) {
  remember_processors();
  install_signal_handlers();
  install_last_words();
  exec::leave(run_guarded(argc, argv));
}
