#include "cli/session/last_words.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "cli/session/session.hpp"
#include "phpc/io/output_file.hpp"

namespace phpc::cli {

namespace {

std::atomic_flag is_ending = ATOMIC_FLAG_INIT;

/// Allocates nothing. Where several threads come to it, the first ends the program.
[[noreturn]] void say_last_words() {
  if (std::current_exception() == nullptr) {
    std::abort();
  }
  while (is_ending.test_and_set()) {
    pause();
  }
  io::remove_temporaries();
  try {
    throw;
  } catch (const std::bad_alloc&) {
    std::fputs(out_of_memory, stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "portable-hpc: %s\n", error.what());
  } catch (...) {
    std::fputs("portable-hpc: an exception of unknown kind; report it\n", stderr);
  }
  _exit(exit_failure);
}

}  // namespace

void install_last_words() {
  std::set_terminate(say_last_words);
}

}  // namespace phpc::cli
