// An object to preload (LD_PRELOAD) that makes chosen calls of a program fail: see failpoints.hpp. x86_64 and aarch64 with glibc.
#include "failpoints/failpoints.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// glibc's allocator under its own names, so that nothing has to be looked up before the first allocation.
extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void* __libc_calloc(std::size_t count, std::size_t bytes);
extern "C" void* __libc_realloc(void* old, std::size_t bytes);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t bytes);

namespace {

using namespace phpc::test;

constexpr int is_short = -1;

int chosen_kind = -1;
std::uint64_t chosen_call = 0;
bool and_all_later = false;
int how = 0;  ///< errno or is_short
CallCounts own_counts{};
CallCounts* counts = &own_counts;
std::atomic<bool> is_counting{false};

struct Code {
  std::uintptr_t begin;
  std::uintptr_t end;
};
Code exempt[8];
int exempt_count = 0;

int find_exempt(dl_phdr_info* object, std::size_t /*size*/, void* /*data*/) {
  for (const char* const name : {"/libomp", "/libgomp", "/libarcher"}) {
    if (std::strstr(object->dlpi_name, name) == nullptr) {
      continue;
    }
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& segment = object->dlpi_phdr[i];
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 && exempt_count < 8) {
        const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
        exempt[exempt_count++] = {begin, begin + segment.p_memsz};
      }
    }
  }
  return 0;
}

void read_choice() {
  if (const char* const path = std::getenv("PHPC_FAIL_CALLS"); path != nullptr) {
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (void* const memory = mmap(nullptr, sizeof own_counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        memory != MAP_FAILED) {
      counts = static_cast<CallCounts*>(memory);
    }
    close(file);
  }
  const char* const choice = std::getenv("PHPC_FAIL");
  const char* const first = choice == nullptr ? nullptr : std::strchr(choice, ':');
  if (first == nullptr) {
    return;
  }
  for (int kind = 0; kind < call_kinds; ++kind) {
    if (call_names[static_cast<std::size_t>(kind)] == std::string_view(choice, first)) {
      chosen_kind = kind;
    }
  }
  char* rest = nullptr;
  chosen_call = std::strtoull(first + 1, &rest, 10);
  and_all_later = *rest == '+';
  rest += and_all_later ? 2 : 1;
  how = std::strcmp(rest, "short") == 0 ? is_short : std::strcmp(rest, "interrupted") == 0 ? EINTR : std::atoi(rest);
}

/// Counts a call and says whether it fails: 0 or `how`.
int verdict(CallKind kind, const void* caller) {
  if (!is_counting.load(std::memory_order_relaxed)) {
    return 0;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  for (int i = 0; i < exempt_count; ++i) {
    if (address >= exempt[i].begin && address < exempt[i].end) {
      return 0;
    }
  }
  const std::uint64_t call = std::atomic_ref((*counts)[kind]).fetch_add(1) + 1;
  return kind == chosen_kind && (call == chosen_call || (and_all_later && call > chosen_call)) ? how : 0;
}

/// The next definition of a function, looked up once by each of its callers here.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::size_t half(std::size_t bytes) {
  return bytes > 1 ? bytes / 2 : bytes;
}

int (*real_main)(int, char**, char**) = nullptr;

/// Where counting begins: what the loader and constructors do is none of the program's.
int counted_main(int argc, char** argv, char** environment) {
  dl_iterate_phdr(find_exempt, nullptr);
  read_choice();
  is_counting = true;
  return real_main(argc, argv, environment);
}

}  // namespace

// A call that fails as chosen, else the next definition's. `on_failure` is what the function returns then.
#define PHPC_FAILS(kind, on_failure)                                          \
  if (const int why = verdict(kind, __builtin_return_address(0)); why != 0) { \
    errno = why == is_short ? EINTR : why;                                    \
    return on_failure;                                                        \
  }

#define PHPC_PLAIN(kind, result, on_failure, name, parameters, ...) \
  extern "C" result name parameters {                               \
    PHPC_FAILS(kind, on_failure)                                    \
    static auto* const function = next<result parameters>(#name);   \
    return function(__VA_ARGS__);                                   \
  }

// The same with a number of bytes that may be halved.
#define PHPC_TRANSFER(kind, name, parameters, bytes, ...)                       \
  extern "C" ssize_t name parameters {                                          \
    if (const int why = verdict(kind, __builtin_return_address(0)); why != 0) { \
      if (why != is_short) {                                                    \
        errno = why;                                                            \
        return -1;                                                              \
      }                                                                         \
      bytes = half(bytes);                                                      \
    }                                                                           \
    static auto* const function = next<ssize_t parameters>(#name);              \
    return function(__VA_ARGS__);                                               \
  }

#define PHPC_OPEN(name, first_parameters, ...)                       \
  extern "C" int name first_parameters {                             \
    PHPC_FAILS(call_open, -1)                                        \
    mode_t mode = 0;                                                 \
    if ((flags & (O_CREAT | __O_TMPFILE)) != 0) {                    \
      va_list rest;                                                  \
      va_start(rest, flags);                                         \
      mode = va_arg(rest, mode_t);                                   \
      va_end(rest);                                                  \
    }                                                                \
    static auto* const function = next<int first_parameters>(#name); \
    return function(__VA_ARGS__, mode);                              \
  }

PHPC_OPEN(open, (const char* path, int flags, ...), path, flags)
PHPC_OPEN(open64, (const char* path, int flags, ...), path, flags)
PHPC_OPEN(openat, (int folder, const char* path, int flags, ...), folder, path, flags)
PHPC_OPEN(openat64, (int folder, const char* path, int flags, ...), folder, path, flags)
PHPC_PLAIN(call_open, FILE*, nullptr, fopen, (const char* path, const char* mode), path, mode)
PHPC_PLAIN(call_open, FILE*, nullptr, fopen64, (const char* path, const char* mode), path, mode)

PHPC_TRANSFER(call_read, read, (int file, void* memory, std::size_t bytes), bytes, file, memory, bytes)
PHPC_TRANSFER(call_pread, pread, (int file, void* memory, std::size_t bytes, off_t at), bytes, file, memory, bytes, at)
PHPC_TRANSFER(call_pread, pread64, (int file, void* memory, std::size_t bytes, off64_t at), bytes, file, memory, bytes, at)
PHPC_TRANSFER(call_write, write, (int file, const void* memory, std::size_t bytes), bytes, file, memory, bytes)
PHPC_TRANSFER(call_pwrite, pwrite, (int file, const void* memory, std::size_t bytes, off_t at), bytes, file, memory, bytes, at)
PHPC_TRANSFER(call_pwrite, pwrite64, (int file, const void* memory, std::size_t bytes, off64_t at), bytes, file, memory, bytes,
              at)
PHPC_PLAIN(call_read, ssize_t, -1, readv, (int file, const iovec* parts, int count), file, parts, count)
PHPC_PLAIN(call_write, ssize_t, -1, writev, (int file, const iovec* parts, int count), file, parts, count)

extern "C" int close(int file) {
  const int why = verdict(call_close, __builtin_return_address(0));
  static auto* const function = next<int(int)>("close");
  const int result = function(file);
  if (why != 0) {
    errno = why;
    return -1;
  }
  return result;
}

PHPC_PLAIN(call_sync, int, -1, fsync, (int file), file)
PHPC_PLAIN(call_sync, int, -1, fdatasync, (int file), file)
PHPC_PLAIN(call_range, int, -1, sync_file_range, (int file, off64_t from, off64_t bytes, unsigned flags), file, from, bytes,
           flags)
PHPC_PLAIN(call_rename, int, -1, rename, (const char* from, const char* to), from, to)
PHPC_PLAIN(call_rename, int, -1, renameat, (int folder, const char* from, int to_folder, const char* to), folder, from, to_folder,
           to)
PHPC_PLAIN(call_unlink, int, -1, unlink, (const char* path), path)
PHPC_PLAIN(call_unlink, int, -1, unlinkat, (int folder, const char* path, int flags), folder, path, flags)
PHPC_PLAIN(call_unlink, int, -1, remove, (const char* path), path)
PHPC_PLAIN(call_stat, int, -1, stat, (const char* path, struct stat* status), path, status)
PHPC_PLAIN(call_stat, int, -1, lstat, (const char* path, struct stat* status), path, status)
PHPC_PLAIN(call_stat, int, -1, fstat, (int file, struct stat* status), file, status)
PHPC_PLAIN(call_stat, int, -1, fstatat, (int folder, const char* path, struct stat* status, int flags), folder, path, status,
           flags)
PHPC_PLAIN(call_stat, int, -1, stat64, (const char* path, struct stat64* status), path, status)
PHPC_PLAIN(call_stat, int, -1, lstat64, (const char* path, struct stat64* status), path, status)
PHPC_PLAIN(call_stat, int, -1, fstat64, (int file, struct stat64* status), file, status)
PHPC_PLAIN(call_stat, int, -1, access, (const char* path, int mode), path, mode)
PHPC_PLAIN(call_stat, int, -1, faccessat, (int folder, const char* path, int mode, int flags), folder, path, mode, flags)
PHPC_PLAIN(call_stat, char*, nullptr, realpath, (const char* path, char* resolved), path, resolved)
PHPC_PLAIN(call_truncate, int, -1, ftruncate, (int file, off_t bytes), file, bytes)
PHPC_PLAIN(call_truncate, int, -1, ftruncate64, (int file, off64_t bytes), file, bytes)
PHPC_PLAIN(call_truncate, int, -1, fallocate, (int file, int mode, off_t from, off_t bytes), file, mode, from, bytes)
PHPC_PLAIN(call_seek, off_t, -1, lseek, (int file, off_t by, int whence), file, by, whence)
PHPC_PLAIN(call_seek, off64_t, -1, lseek64, (int file, off64_t by, int whence), file, by, whence)
PHPC_PLAIN(call_dup, int, -1, dup, (int file), file)
PHPC_PLAIN(call_dup, int, -1, dup2, (int file, int to), file, to)
PHPC_PLAIN(call_folder, DIR*, nullptr, opendir, (const char* path), path)
PHPC_PLAIN(call_folder, DIR*, nullptr, fdopendir, (int file), file)
PHPC_PLAIN(call_folder, dirent*, nullptr, readdir, (DIR * folder), folder)
PHPC_PLAIN(call_folder, dirent64*, nullptr, readdir64, (DIR * folder), folder)
PHPC_PLAIN(call_temporary, int, -1, mkstemp, (char* pattern), pattern)
PHPC_PLAIN(call_temporary, int, -1, mkostemp, (char* pattern, int flags), pattern, flags)
PHPC_PLAIN(call_temporary, int, -1, mkstemp64, (char* pattern), pattern)
PHPC_PLAIN(call_temporary, int, -1, mkostemp64, (char* pattern, int flags), pattern, flags)
PHPC_PLAIN(call_temporary, char*, nullptr, mkdtemp, (char* pattern), pattern)
PHPC_PLAIN(call_map, void*, MAP_FAILED, mmap, (void* near, std::size_t bytes, int access, int flags, int file, off_t at), near,
           bytes, access, flags, file, at)
PHPC_PLAIN(call_map, void*, MAP_FAILED, mmap64, (void* near, std::size_t bytes, int access, int flags, int file, off64_t at),
           near, bytes, access, flags, file, at)

extern "C" void* malloc(std::size_t bytes) {
  PHPC_FAILS(call_memory, nullptr)
  return __libc_malloc(bytes);
}

extern "C" void* calloc(std::size_t count, std::size_t bytes) {
  PHPC_FAILS(call_memory, nullptr)
  return __libc_calloc(count, bytes);
}

extern "C" void* realloc(void* old, std::size_t bytes) {
  PHPC_FAILS(call_memory, nullptr)
  return __libc_realloc(old, bytes);
}

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  PHPC_FAILS(call_memory, nullptr)
  return __libc_memalign(alignment, bytes);
}

extern "C" int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  if (verdict(call_memory, __builtin_return_address(0)) != 0) {
    return ENOMEM;
  }
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr && bytes != 0 ? ENOMEM : 0;
}

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) {
  if (const int why = verdict(call_thread, __builtin_return_address(0)); why != 0) {
    return why == is_short ? EAGAIN : why;
  }
  static auto* const function = next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return function(thread, attributes, work, argument);
}

extern "C" int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, int (*start)(int, char**, char**),
                                 void (*end)(), void (*loader_end)(), void* stack_end) {
  real_main = main;
  static auto* const function =
      next<int(int (*)(int, char**, char**), int, char**, int (*)(int, char**, char**), void (*)(), void (*)(), void*)>(
          "__libc_start_main");
  return function(counted_main, argc, argv, start, end, loader_end, stack_end);
}
