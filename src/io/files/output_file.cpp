#include "phpc/io/output_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "io/files/temporary.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/output_target.hpp"

namespace phpc::io {

namespace {

constexpr std::size_t pending_limit = std::size_t{1} << 20;
/// What is written goes to the disk in stretches of this size at least.
constexpr std::uint64_t early_bytes = std::uint64_t{8} << 20;

/// Gives a new file the owner, the group and the permissions of the one that it will replace, but never makes it run as its owner
/// (setuid). False where the old file is to be overwritten instead, since more would change than its content: it has other names
/// (hard links), an owner that only the superuser may give, or a list of access rights of its own.
bool take_place_of(int descriptor, const std::string& target, const struct stat& old) {
  struct stat made{};
  if (old.st_nlink > 1 || getxattr(target.c_str(), "system.posix_acl_access", nullptr, 0) > 0 || fstat(descriptor, &made) != 0) {
    return false;
  }
  const bool is_others = made.st_uid != old.st_uid || made.st_gid != old.st_gid;
  if (is_others && fchown(descriptor, old.st_uid, old.st_gid) != 0) {
    return false;
  }
  fremovexattr(descriptor, "system.posix_acl_access");  // the folder's, for new files
  fchmod(descriptor, old.st_mode & 0777);               // where it is refused, the file is open to fewer
  return true;
}

/// Writes all bytes. Returns 0 or an errno value.
int write_fully(int descriptor, const char* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = write(descriptor, data, bytes);
    if (written >= 0) {
      data += written;
      bytes -= static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {  // whoever shares standard output has made it non-blocking
      struct pollfd room{descriptor, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// Copies the first `bytes` bytes of a file to where another one stands. Returns 0 or an errno value.
int copy_bytes(int from, int to, off_t bytes) {
  std::vector<char> block(pending_limit);
  for (off_t at = 0; at < bytes;) {
    const ssize_t got = pread(from, block.data(), block.size(), at);
    if (got == 0 || (got < 0 && errno != EINTR)) {
      return got == 0 ? EIO : errno;
    }
    if (got > 0) {
      if (const int cause = write_fully(to, block.data(), static_cast<std::size_t>(got)); cause != 0) {
        return cause;
      }
      at += got;
    }
  }
  return 0;
}

/// Waits until the disk holds what was written, which would be lost if the machine stopped. True also for what cannot be synced
/// (a pipe, a terminal, some file systems); false, with errno, where the disk failed.
bool sync_to_disk(int descriptor) {
  while (fsync(descriptor) != 0) {
    if (errno != EINTR) {
      return errno == EINVAL || errno == EROFS || errno == ENOTSUP || errno == ENOSYS;
    }
  }
  return true;
}

/// The same of a file's name, which its folder holds.
bool sync_folder_of(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return true;  // a folder that may be written and not read
  }
  const bool is_synced = sync_to_disk(descriptor);
  const int cause = errno;
  close(descriptor);
  errno = cause;
  return is_synced;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  PHPC_VALIDATE(!path_.empty(), ErrorKind::usage, "the output path is empty; give a file or - for standard output");
  const std::string problem = "cannot write " + name();
  const OutputTarget target = output_target(path_);
  target_ = target.path;
  if (target.descriptor >= 0) {
    // Not opened anew, which would begin at the file's start and leave what `>>` and other programs write to it behind.
    const int mode = fcntl(target.descriptor, F_GETFL);
    if (mode >= 0 && (mode & O_ACCMODE) == O_RDONLY) {
      fail_errno(problem, EBADF);
    }
    descriptor_ = fcntl(target.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (descriptor_ < 0) {
      fail_errno(problem, errno);
    }
    return;
  }
  struct stat status{};
  const bool exists = stat(target_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) {
    fail_errno(problem, errno);
  }
  if (exists && S_ISDIR(status.st_mode)) {
    fail_errno(problem, EISDIR);
  }
  if (exists && access(target_.c_str(), W_OK) != 0) {
    fail_errno(problem, errno);
  }
  if (exists && (!S_ISREG(status.st_mode) || target.is_open_file)) {
    descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC | (target.is_open_file ? O_APPEND : 0));
    if (descriptor_ < 0) {
      fail_errno(problem, errno);
    }
    return;
  }
  // What is to become a file that others may not read is closed to them from its beginning.
  Temporary file = exists ? open_temporary(target_, status.st_mode & 0600, "cannot write a temporary file beside " + name())
                          : open_temporary(target_, 0666, problem);
  temporary_ = std::move(file.path);
  slot_ = file.slot;
  descriptor_ = file.descriptor;
  overwrites_ = exists && !take_place_of(descriptor_, target_, status);
}

OutputFile::~OutputFile() {
  if (slot_ >= 0) {
    unlink(temporary_.c_str());
    forget_temporary(slot_);
  }
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

std::string OutputFile::name() const {
  return path_ == "-" ? "standard output" : "'" + path_ + "'";
}

void OutputFile::fail_to_write(int cause) const {
  fail_errno("cannot write " + name(), cause);
}

void OutputFile::write(std::string_view text) {
  if (pending_.size() + text.size() > pending_limit) {
    flush();
  }
  if (text.size() > pending_limit) {
    write_all(text.data(), text.size());
  } else {
    pending_ += text;
  }
}

void OutputFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void OutputFile::flush() {
  write_all(pending_.data(), pending_.size());
  pending_.clear();
}

void OutputFile::write_all(const char* data, std::size_t bytes) {
  if (const int cause = write_fully(descriptor_, data, bytes); cause != 0) {
    fail_to_write(cause);
  }
  written_ += bytes;
  if (slot_ >= 0 && written_ - on_its_way_ >= early_bytes) {
    send_to_disk();
  }
}

/// Lets the kernel begin to write what it holds, so that little is left for the sync at the end: 220 MB written over a second
/// took 0.17 s to sync, and 0.006 s when they had been sent on the way. Where it cannot, nothing is lost.
void OutputFile::send_to_disk() {
#ifdef SYNC_FILE_RANGE_WRITE
  sync_file_range(descriptor_, static_cast<off_t>(on_its_way_), static_cast<off_t>(written_ - on_its_way_),
                  SYNC_FILE_RANGE_WRITE);
#endif
  on_its_way_ = written_;
}

void OutputFile::sync() {
  flush();
  if (!sync_to_disk(descriptor_)) {
    fail_to_write(errno);
  }
}

void OutputFile::close_it() {
  if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) {
    fail_to_write(errno);
  }
}

/// The old file gets the temporary's content, once all of that is there: only a failing disk, a SIGKILL or the machine's end
/// spoils it.
void OutputFile::overwrite() {
  const SignalsHeld held;
  const int old = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (old < 0) {
    fail_to_write(errno);
  }
  const auto size = static_cast<off_t>(written_);
  int cause = 0;
  // Room for all of it, before anything is lost; where it cannot be told, writing will.
  if (size > 0 && fallocate(old, FALLOC_FL_KEEP_SIZE, 0, size) != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
    cause = errno;
  }
  if (cause == 0) {
    cause = copy_bytes(descriptor_, old, size);
  }
  if (cause == 0 && (ftruncate(old, size) != 0 || !sync_to_disk(old))) {
    cause = errno;
  }
  close(old);
  if (cause != 0) {
    fail_to_write(cause);
  }
}

void OutputFile::commit() {
  if (slot_ >= 0) {
    commit_as(target_);
  } else {
    sync();
    close_it();
  }
}

void OutputFile::commit_as(const std::string& path) {
  PHPC_EXPECT(slot_ >= 0);
  sync();
  // A temporary stays open until it is none, since its lock tells others that it is being written.
  const bool is_renamed = !(overwrites_ && path == target_) && rename(temporary_.c_str(), path.c_str()) == 0;
  if (is_renamed) {
    forget_temporary(std::exchange(slot_, -1));
  } else if (path == target_ && (overwrites_ || errno == EBUSY)) {  // busy: a file that is mounted (containers do so)
    overwrite();
    unlink(temporary_.c_str());
    forget_temporary(std::exchange(slot_, -1));
  } else {
    fail_errno("cannot write '" + path + "'", errno);
  }
  close_it();
  if (is_renamed && !sync_folder_of(path)) {
    fail_errno("cannot write '" + path + "'", errno);
  }
}

}  // namespace phpc::io
