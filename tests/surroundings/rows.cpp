#include "surroundings/rows.hpp"

namespace phpc::test {

namespace {

/// Every way to start with some of the first three descriptors closed.
std::vector<Row> closed_descriptors() {
  std::vector<Row> all;
  for (int closed = 1; closed < 8; ++closed) {
    std::string redirections;
    std::string name = "Closed";
    for (int descriptor = 0; descriptor < 3; ++descriptor) {
      if ((closed >> descriptor & 1) != 0) {
        redirections += " " + std::to_string(descriptor) + (descriptor == 0 ? "<&-" : ">&-");
        name += std::to_string(descriptor);
      }
    }
    const std::string said = (closed & 4) != 0 ? redirections : " 2>/dev/null" + redirections;
    // A message to a closed standard error goes nowhere, and into no file.
    all.push_back(
        {name + "Fft", Needs::nothing, "\"$P\" fft -v --device host x.npy -o y.npy 9>&-" + said, {0}, "", Result::whole});
    all.push_back({name + "Casoff",
                   Needs::nothing,
                   "p casoff -q --device host input.txt -o extra/right || give_up; "
                   "\"$P\" casoff -v --device host input.txt -o extra/sites 9>&-" +
                       said + " || exit; cmp -s extra/right extra/sites || exit 98",
                   {0},
                   "",
                   Result::older});
    all.push_back({name + "Batch",
                   Needs::nothing,
                   "s='--problem stencil3:8 --systems 4 --device host'; p batch -q $s -o extra/right || give_up; "
                   "\"$P\" batch -v $s -o extra/x 9>&-" +
                       said + " || exit; cmp -s extra/right extra/x || exit 98",
                   {0},
                   "",
                   Result::older});
  }
  all.push_back({"ClosedInputThatIsRead",
                 Needs::nothing,
                 "p fft -q --device host - -o y.npy <&-",
                 {1},
                 "portable-hpc fft: ",
                 Result::older});
  return all;
}

/// Signals that were ignored by whoever started the program stay so.
std::vector<Row> ignored_signals() {
  const std::string waits = "start; kill -$SIGNAL $id; cat x.npy >&3; exec 3>&-; wait $id";
  return {
      {"NohupAndHup", Needs::nothing, "trap '' HUP; SIGNAL=HUP; " + waits, {0}, "", Result::whole},
      {"BackgroundAndInt", Needs::nothing, "trap '' INT; SIGNAL=INT; " + waits, {0}, "", Result::whole},
      {"IgnoredTerm", Needs::nothing, "trap '' TERM; SIGNAL=TERM; " + waits, {0}, "", Result::whole},
      {"IgnoredQuit", Needs::nothing, "trap '' QUIT; SIGNAL=QUIT; " + waits, {0}, "", Result::whole},
      {"Pipe", Needs::nothing, "SIGNAL=PIPE; " + waits, {0}, "", Result::whole},
      {"Term", Needs::nothing, "SIGNAL=TERM; " + waits, {143}, "", Result::older},
      {"Hup", Needs::nothing, "SIGNAL=HUP; " + waits, {129}, "", Result::older},
  };
}

std::vector<Row> folders() {
  const std::string bind = "mount --bind \"$PWD\" /mnt && cd /mnt && ";
  std::vector<Row> all;
  for (const auto& [name, mount] : {std::pair<std::string, std::string>{"Full",
                                                                        "mount -t tmpfs -o size=4k none /tmp && "
                                                                        "{ head -c 100k /dev/zero >/tmp/fill; true; }"},
                                    {"ReadOnly", "mount -t tmpfs -o ro none /tmp"},
                                    {"Noexec", "mount -t tmpfs -o noexec none /tmp"}}) {
    const std::string set = "unset TMPDIR; " + bind + mount + " || give_up; ";
    all.push_back({"Tmp" + name + "Fft", Needs::another_tmp, set + "p fft -q x.npy -o y.npy", {0}, "", Result::whole});
    all.push_back({"Tmp" + name + "Devices", Needs::another_tmp, set + "p devices -q", {0}, "", Result::older});
  }
  all.insert(all.end(),
             {{"TmpdirAbsent", Needs::nothing, "export TMPDIR=/absent; p fft -q x.npy -o y.npy", {0}, "", Result::whole},
              {"TmpdirUnset", Needs::nothing, "unset TMPDIR; p fft -q x.npy -o y.npy", {0}, "", Result::whole},
              {"OutputFolderReadOnly",
               Needs::mounts,
               "mount -t tmpfs -o ro none extra || give_up; p fft -q --device host x.npy -o extra/y.npy",
               {1},
               "Read-only file system",
               Result::older},
              {"DiskFull",
               Needs::mounts,
               "mount -t tmpfs -o size=16k none extra && cp y.npy extra || give_up; p fft -q --device host x.npy -o extra/y.npy; "
               "code=$?; "
               "cmp -s y.npy extra/y.npy && [ \"$(ls -A extra)\" = y.npy ] || exit 98; exit $code",
               {1},
               "No space left",
               Result::older},
              {"FolderRemoved",
               Needs::nothing,
               "at=$PWD; mkdir d && cd d && rmdir ../d || give_up; p fft -q --device host $at/x.npy -o $at/y.npy",
               {0},
               "",
               Result::whole},
              {"FolderRemovedRelative",
               Needs::nothing,
               "at=$PWD; mkdir d && cd d && rmdir ../d || give_up; p fft -q --device host $at/x.npy -o z.npy",
               {1},
               "No such file",
               Result::older}});
  return all;
}

std::vector<Row> limits() {
  std::vector<Row> all = {
      {"FileSize", Needs::nothing, "ulimit -f 4; transform", {1}, "File too large", Result::older},
      // As many as the loader needs, and no more: the output is opened, the input cannot be.
      {"FewDescriptors",
       Needs::nothing,
       "exec 2>&9 8>&- 9>&-; for n in $(seq 4 20); do (exec >/dev/null 2>&1; ulimit -n $n; exec \"$P\" --version) && break; "
       "done; "
       "ulimit -n $n; exec \"$P\" fft -q --device host x.npy -o y.npy",
       {1},
       "Too many open files",
       Result::older},
      {"TwentyDescriptors", Needs::nothing, "ulimit -n 20; transform", {0}, "", Result::whole},
      {"CpuTime",
       Needs::nothing,
       "ulimit -S -t 1; ulimit -H -t 9; p batch -q --device host --problem chemistry:54 --systems 10000000 --solver lu --memory "
       "20M -o extra/x.npy; "
       "code=$?; [ -z \"$(ls -A extra)\" ] || exit 98; exit $code",
       {152},
       "",
       Result::older},
      {"NoProcesses", Needs::other_user, "ulimit -u 1; only fft -q --device host x.npy -o y.npy", {0}, "", Result::whole},
      {"NoProcessesCasoff",
       Needs::other_user,
       "ulimit -u 1; only casoff -q --device host input.txt -o extra/sites",
       {1},
       "cannot start a thread",
       Result::older},
      {"NoProcessesManyThreads",
       Needs::other_user,
       "ulimit -u 1; only fft -q --device host x.npy -o y.npy --threads 8",
       {1},
       "cannot start 8 threads",
       Result::older},
      // What a process of the same number left of libomp when it was killed: see cli/process/openmp_registration.hpp.
      {"EmptyRegistration",
       Needs::nothing,
       ": >/dev/shm/__KMP_REGISTERED_LIB_$$_$(id -u) || give_up; only fft -q --device host x.npy -o y.npy",
       {0},
       "",
       Result::whole},
      {"ManyThreadsLittleMemory",
       Needs::nothing,
       "ulimit -v 1000000; transform --threads 4096",
       {1},
       "cannot start 4096 threads",
       Result::older},
      {"ManyThreadsOfTheEnvironment",
       Needs::nothing,
       "ulimit -v 1000000; export OMP_NUM_THREADS=4096; transform",
       {0},
       "",
       Result::whole},
      {"ThreadsBeyondReason", Needs::nothing, "transform --threads 65536", {2}, "--threads", Result::older},
  };
  // Under the least of these the loader or the OpenMP run-time library gives up before the program begins.
  for (const int mebibytes : {40, 60, 80, 120, 160, 250, 400}) {
    const std::string set = "ulimit -v " + std::to_string(mebibytes * 1024) + "; ";
    const std::string name = "Memory" + std::to_string(mebibytes);
    all.push_back({name + "Fft", Needs::nothing, set + "transform", {0, 1, 127}, "", Result::whole_or_older});
    all.push_back({name + "Casoff",
                   Needs::nothing,
                   set + "p casoff -q --device host input.txt -o extra/sites",
                   {0, 1, 127},
                   "",
                   Result::older});
    all.push_back({name + "Batch",
                   Needs::nothing,
                   set + "p batch -q --device host --problem stencil3:64 --systems 5000 -o extra/x.npy",
                   {0, 1, 127},
                   "",
                   Result::older});
  }
  return all;
}

std::vector<Row> streams() {
  return {
      {"OutputFull", Needs::nothing, "p fft -q --device host x.npy -o - >/dev/full", {1}, "No space left", Result::older},
      {"OutputFullDevices", Needs::nothing, "p devices >/dev/full", {1}, "No space left", Result::older},
      {"ReaderGone",
       Needs::nothing,
       "p fft -q --device host x.npy -o - | true; exit ${PIPESTATUS[0]}",
       {0, 1, 141},
       "",
       Result::older,
       true},
      {"ErrorsFull", Needs::nothing, "\"$P\" fft -v --device host x.npy -o y.npy 2>/dev/full 9>&-", {0}, "", Result::whole},
  };
}

std::vector<Row> environments() {
  std::vector<Row> all;
  for (const auto& [name, setting] : {std::pair<std::string, std::string>{"HomeUnset", "unset HOME"},
                                      {"HomeAbsent", "export HOME=/absent"},
                                      {"LocaleAbsent", "export LANG=xx_XX.UTF-8 LC_ALL=xx_XX"},
                                      {"LocaleTurkish", "export LC_ALL=tr_TR.UTF-8"},
                                      {"LocaleComma", "export LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8"},
                                      {"TermUnset", "unset TERM"},
                                      {"TermAbsent", "export TERM=absent"},
                                      {"PathUnset", "unset PATH"},
                                      {"NothingSet", "for v in $(compgen -e); do [ $v = P ] || unset $v; done"}}) {
    all.push_back({name, Needs::nothing, setting + "; transform", {0}, "", Result::whole});
  }
  all.insert(
      all.end(),
      {{"NameEmpty", Needs::nothing, "(exec -a '' \"$P\" fft -q --device host x.npy -o y.npy 2>&9 9>&-)", {0}, "", Result::whole},
       {"UserWithoutEntry", Needs::other_user, "transform", {0}, "", Result::whole},
       {"PlantedLibraries",
        Needs::nothing,
        "unset LD_LIBRARY_PATH; cd extra; for l in $(ldd \"$P\" | awk '$2 == \"=>\" {print $1}'); do echo planted >$l; done; "
        "p --version",
        {0},
        "",
        Result::older}});
  return all;
}

}  // namespace

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const auto& some : {closed_descriptors(), ignored_signals(), folders(), limits(), streams(), environments()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace phpc::test
