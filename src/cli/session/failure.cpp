#include "cli/session/failure.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "cli/session/messages.hpp"
#include "jobs/shard.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/output_unread.hpp"

namespace phpc::cli {

namespace {

int report_memory(const Session& session) {
  report(session, "out of host memory; give smaller input");
  return exit_failure;
}

/// Exceptions of libraries, whose own words say little to a user.
int report_foreign(const Session& session) {
  try {
    throw;
  } catch (const std::filesystem::filesystem_error& error) {
    report(session, fmt::format("cannot reach '{}' ({})", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::broken_pipe) {
      return exit_unread;
    }
    report(session,
           fmt::format("the operating system refused a request ({}); look at its limits (ulimit -a)", error.code().message()));
  } catch (const nlohmann::json::exception&) {
    report(session, "a file's JSON is not what the program writes; make the file anew");
  } catch (const std::exception& error) {
    report(session, fmt::format("an error inside the program, '{}'; tell its authors, with the command line", error.what()));
  } catch (...) {
    report(session, "an error inside the program; tell its authors, with the command line");
  }
  return exit_failure;
}

}  // namespace

void report(const Session& session, const std::string& message) {
  log_line(fmt::format("portable-hpc{}{}: {}", session.subcommand.empty() ? "" : " ", session.subcommand, message));
}

int report_failure(const Session& session) {
  try {
    throw;
  } catch (const jobs::Stopped& stopped) {
    report(session, stopped.message);
    return exit_checkpoint;
  } catch (const OutputUnread&) {
    return exit_unread;
  } catch (const Error& error) {
    report(session, error.what());
    return error.kind() == ErrorKind::usage ? exit_usage : exit_failure;
  } catch (const std::bad_alloc&) {
    return report_memory(session);
  } catch (const std::length_error&) {  // a container asked for more than a process can have
    return report_memory(session);
  } catch (...) {
    return report_foreign(session);
  }
}

}  // namespace phpc::cli
