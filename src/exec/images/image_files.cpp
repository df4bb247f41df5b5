#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

/// Keeps the images of LLVM's x86_64 device in memory. The device's plugin (libomptarget 19 and 22) writes each image to
/// /tmp/tmpfile_XXXXXX, loads that as a library and never removes it: a killed process left 20 files of 17 MB in all, and with
/// /tmp full, read-only or mounted noexec the first use of the device aborted. The name comes from mkstemp, which this file
/// defines before the C library does: for that one template it gives a file without a directory entry, which ends with the
/// process.

#if PHPC_WITH_OFFLOAD

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U  // Linux 6.3: says that the file is to be executed, where the default is that it is not
#endif

namespace {

/// Opens a file in memory, else one without a name in TMPDIR or /tmp; -1 where there is neither.
int open_nameless() {
  for (const unsigned flags : {MFD_CLOEXEC | MFD_EXEC, MFD_CLOEXEC}) {
    if (const int descriptor = memfd_create("offload image", flags); descriptor >= 0) {
      return descriptor;
    }
  }
  const char* const folder = std::getenv("TMPDIR");
  return open(folder == nullptr || *folder == '\0' ? "/tmp" : folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0700);
}

using MakeTemporary = int (*)(char*);

MakeTemporary c_library_mkstemp() {
  static const auto function = reinterpret_cast<MakeTemporary>(dlsym(RTLD_NEXT, "mkstemp"));
  return function;
}

}  // namespace

/// mkstemp(3): for the plugin's template the name of a file without a directory entry, for any other the C library's.
extern "C" [[gnu::visibility("default")]] int mkstemp(char* path) {
  constexpr std::string_view plugin_template = "/tmp/tmpfile_XXXXXX";
  if (path == plugin_template) {
    const int kept = open_nameless();  // stays open: the name below leads to it
    const std::string name = "/proc/self/fd/" + std::to_string(kept);
    const int written = kept < 0 ? -1 : fcntl(kept, F_DUPFD_CLOEXEC, 0);  // the plugin closes this one before it loads the file
    if (written >= 0 && name.size() <= plugin_template.size()) {
      std::memcpy(path, name.c_str(), name.size() + 1);
      return written;
    }
    for (const int descriptor : {kept, written}) {
      if (descriptor >= 0) {
        close(descriptor);
      }
    }
  }
  const MakeTemporary make = c_library_mkstemp();
  if (make == nullptr) {
    errno = ENOSYS;
    return -1;
  }
  return make(path);
}

#endif
