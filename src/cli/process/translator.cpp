#include "cli/process/translator.hpp"

#include <unistd.h>

#include <array>
#include <climits>
#include <cstring>
#include <string>

#include "phpc/core/error.hpp"

namespace phpc::cli {

namespace {

constexpr char translator_place[] = "libexec/portable-hpc/port";  // below the folder that holds bin

/// The translator beside this program's folder; "" where the path is too long.
class TranslatorPath {
 public:
  TranslatorPath() noexcept {
    const ssize_t length = readlink("/proc/self/exe", path_.data(), path_.size());
    // PREFIX/bin/portable-hpc
    char* end = path_.data() + (length > 0 ? length : 0);
    for (int level = 0; level < 2; ++level) {
      while (end != path_.data() && *--end != '/') {
      }
    }
    const bool fits = *end == '/' && static_cast<std::size_t>(end - path_.data()) + 1 + sizeof(translator_place) <= path_.size();
    std::memcpy(fits ? end + 1 : path_.data(), fits ? translator_place : "", fits ? sizeof(translator_place) : 1);
  }
  [[nodiscard]] const char* text() const noexcept { return path_.data(); }

 private:
  std::array<char, PATH_MAX> path_{};
};

}  // namespace

bool asks_for_translator(int argc, const char* const* argv) noexcept {
  return argc > 1 && std::strcmp(argv[1], "port") == 0;
}

void become_translator(int argc, char** argv, char** environment) noexcept {
  if (asks_for_translator(argc, argv)) {
    const TranslatorPath translator;
    execve(translator.text(), argv + 1, environment);  // the words are `port` and what follows it
  }
}

void fail_without_translator() {
  fail(ErrorKind::io, std::string("there is no translator of CUDA sources ('") + TranslatorPath().text() +
                          "'); make port builds it, and make install puts it there");
}

}  // namespace phpc::cli
