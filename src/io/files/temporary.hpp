#pragma once
#include <signal.h>
#include <sys/types.h>

#include <string>

namespace phpc::io {

/// A new file, open for reading and writing, under a hidden name of its own beside the file that it is to become:
/// ".NAME.RANDOM.tmp", with NAME cut where the whole would be too long. It is locked while it is open, so that one whose writer
/// was killed can be told.
struct Temporary {
  std::string path;
  int slot;  ///< in the table of those that remove_temporaries() unlinks
  int descriptor;
};

/// `mode` as open(2) takes it. Throws Error(io); `problem` is what its message begins with.
Temporary open_temporary(const std::string& target, mode_t mode, const std::string& problem);

/// Takes a temporary that is gone or has another name out of the table, so that remove_temporaries() leaves it alone.
void forget_temporary(int slot);

/// As long as it lives, no signal that remove_temporaries() is called for ends the process: for what must not be left half done.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace phpc::io
