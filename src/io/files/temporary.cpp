#include "io/files/temporary.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <new>
#include <random>
#include <string_view>

#include "io/files/folder_names.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/output_file.hpp"
#include "phpc/io/output_target.hpp"

namespace phpc::io {

namespace {

// Paths that remove_temporaries() unlinks. A slot is claimed before its file exists and cleared after it is gone or renamed, and
// a path is never freed while its slot is set: a signal handler may read it at any time.
constexpr int slots = 256;
std::array<std::atomic<char*>, slots> temporaries{};
std::mutex slots_mutex;

/// How many SignalsHeld there are.
std::atomic<int> signals_held{0};

int claim_slot(const std::string& path) {
  const std::scoped_lock lock(slots_mutex);
  for (int slot = 0; slot < slots; ++slot) {
    if (temporaries[slot].load() == nullptr) {
      char* const copy = strdup(path.c_str());
      if (copy == nullptr) {
        throw std::bad_alloc();
      }
      temporaries[slot].store(copy);
      return slot;
    }
  }
  fail(ErrorKind::io, "cannot open '" + path + "' (" + std::to_string(slots) + " output files are open); close some");
}

constexpr std::string_view ending = ".tmp";
constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::size_t random_digits = 8;

/// What the paths of all temporaries of a target begin with.
std::string temporary_stem(const std::string& target) {
  const std::size_t name_at = target.rfind('/') + 1;
  const std::string folder = target.substr(0, name_at);
  std::string name = target.substr(name_at);
  const long longest_name = pathconf(folder.empty() ? "." : folder.c_str(), _PC_NAME_MAX);
  const auto longest = static_cast<std::size_t>(longest_name > 0 ? longest_name : NAME_MAX);
  const std::size_t longest_in_path = PATH_MAX - 1 - std::min<std::size_t>(folder.size(), PATH_MAX - 1);
  const std::size_t added = 2 + random_digits + ending.size();
  const std::size_t kept = std::min(longest, longest_in_path) - std::min({longest, longest_in_path, added});
  if (name.size() > kept) {
    // Not within a character of UTF-8, which some file systems refuse.
    std::size_t end = kept;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) {
      --end;
    }
    name.resize(end);
  }
  return folder + "." + name + ".";
}

enum class Lock { taken, held_by_another, unknown };

/// Takes a lock that ends with the open file, however its process ends. `unknown`: the file system has no locks.
Lock lock(int descriptor) {
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) {
      return errno == EWOULDBLOCK ? Lock::held_by_another : Lock::unknown;
    }
  }
  return Lock::taken;
}

/// Whether an open file still has a name: between its creation and its lock another process may have removed it as a stale one.
bool is_linked(int descriptor) {
  struct stat status{};
  return fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

/// Removes a file that nobody holds the lock of.
bool remove_unlocked(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    return false;
  }
  struct stat opened{};
  struct stat named{};
  const bool removed = fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && lock(descriptor) == Lock::taken &&
                       lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino &&
                       unlink(path.c_str()) == 0;
  close(descriptor);
  return removed;
}

}  // namespace

Temporary open_temporary(const std::string& target, mode_t mode, const std::string& problem) {
  const std::string stem = temporary_stem(target);
  std::random_device random;
  for (;;) {
    std::string suffix(random_digits, '0');
    std::generate(suffix.begin(), suffix.end(), [&] { return hex_digits[random() % hex_digits.size()]; });
    Temporary file{stem + suffix + std::string(ending), -1, -1};
    file.slot = claim_slot(file.path);
    file.descriptor = open(file.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file.descriptor < 0) {
      const int cause = errno;
      forget_temporary(file.slot);
      if (cause != EEXIST && cause != EINTR) {
        fail_errno(problem, cause);
      }
    } else if (lock(file.descriptor) != Lock::held_by_another && is_linked(file.descriptor)) {
      return file;
    } else {
      close(file.descriptor);
      unlink(file.path.c_str());
      forget_temporary(file.slot);
    }
  }
}

void forget_temporary(int slot) {
  const std::scoped_lock lock(slots_mutex);
  std::free(temporaries[slot].exchange(nullptr));
}

SignalsHeld::SignalsHeld() {
  // This thread, which could not go on after the handler has begun to wait for it, leaves signals to others.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before_);
  ++signals_held;
}

SignalsHeld::~SignalsHeld() {
  --signals_held;
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void remove_temporaries() noexcept {
  while (signals_held.load() > 0) {
    usleep(1000);
  }
  for (const auto& path : temporaries) {
    if (const char* const name = path.load(); name != nullptr) {
      unlink(name);
    }
  }
}

int remove_stale_temporaries(const std::string& target) {
  namespace fs = std::filesystem;
  const fs::path stem(temporary_stem(output_target(target).path));
  const std::string begin = stem.filename().string();
  const std::string folder = stem.has_parent_path() ? stem.parent_path().string() : ".";
  std::vector<std::string> names;
  try {
    names = folder_names(folder, Hidden::included);
  } catch (const Error&) {  // a folder that may be written and not read keeps them
  }
  int removed = 0;
  for (const std::string& name : names) {
    const bool fits = name.size() == begin.size() + random_digits + ending.size() && name.starts_with(begin) &&
                      name.ends_with(ending) && name.find_first_not_of(hex_digits, begin.size()) == begin.size() + random_digits;
    removed += fits && remove_unlocked((fs::path(folder) / name).string()) ? 1 : 0;
  }
  return removed;
}

}  // namespace phpc::io
