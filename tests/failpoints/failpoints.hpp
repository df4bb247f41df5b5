#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace phpc::test {

/// Kinds of calls that the object in failpoints.cpp can make fail. Its environment:
///   PHPC_FAIL=KIND:N:HOW     the N-th call of that kind since main began fails; `N+`: it and all later ones. HOW: a number for
///   errno,
///                            `short` (half of what was asked for, of reads and writes) or `interrupted` (errno EINTR)
///   PHPC_FAIL_CALLS=FILE     a file of CallCounts, which counts the calls of every kind
/// Calls by the OpenMP run-time library, which ends the program by itself, are neither counted nor do they fail.
enum CallKind : int {
  call_open,       ///< open, openat, creat, fopen
  call_read,       ///< read, readv
  call_pread,      ///< pread
  call_write,      ///< write, writev
  call_pwrite,     ///< pwrite
  call_close,      ///< close: the descriptor is closed all the same, as Linux does
  call_sync,       ///< fsync, fdatasync
  call_range,      ///< sync_file_range
  call_rename,     ///< rename, renameat
  call_unlink,     ///< unlink, unlinkat, remove: a file that cannot be removed stays
  call_stat,       ///< stat, fstat, lstat, fstatat, statx, access, realpath
  call_truncate,   ///< ftruncate, fallocate
  call_seek,       ///< lseek
  call_dup,        ///< dup, dup2
  call_folder,     ///< opendir, fdopendir, readdir
  call_temporary,  ///< mkstemp, mkostemp, mkdtemp
  call_map,        ///< mmap
  call_memory,     ///< malloc, calloc, realloc, aligned_alloc, posix_memalign, and with them operator new
  call_thread,     ///< pthread_create
  call_kinds
};

inline constexpr std::array<std::string_view, call_kinds> call_names = {
    "open", "read",     "pread", "write", "pwrite", "close",     "sync", "range",  "rename", "unlink",
    "stat", "truncate", "seek",  "dup",   "folder", "temporary", "map",  "memory", "thread"};

using CallCounts = std::array<std::uint64_t, call_kinds>;

}  // namespace phpc::test
