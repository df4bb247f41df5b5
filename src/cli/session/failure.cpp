#include "cli/session/failure.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "jobs/shard.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/output_unread.hpp"

namespace phpc::cli {

namespace {

int report_memory(const Session& session) {
  session.error("out of host memory; give smaller input");
  return exit_failure;
}

/// Logs what an exception of a library means, whose own words say little to a user.
int report_foreign(const Session& session) {
  try {
    throw;
  } catch (const std::filesystem::filesystem_error& error) {
    session.error(fmt::format("cannot reach '{}' ({})", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::broken_pipe) {
      return exit_unread;
    }
    session.error(
        fmt::format("the operating system refused a request ({}); look at its limits (ulimit -a)", error.code().message()));
  } catch (const nlohmann::json::exception&) {
    session.error("a file's JSON is not what the program writes; make the file anew");
  } catch (const std::exception& error) {
    session.error(fmt::format("an error inside the program, '{}'; tell its authors, with the command line", error.what()));
  } catch (...) {
    session.error("an error inside the program; tell its authors, with the command line");
  }
  return exit_failure;
}

}  // namespace

int report_failure(const Session& session) {
  try {
    throw;
  } catch (const jobs::Stopped& stopped) {
    session.error(stopped.message);
    return exit_checkpoint;
  } catch (const OutputUnread&) {
    return exit_unread;
  } catch (const Error& error) {
    session.error(error.what());
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
