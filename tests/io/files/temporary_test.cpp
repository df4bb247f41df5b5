#include "io/files/temporary.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include "phpc/io/output_file.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::TemporaryDirectory;

TEST(Temporary, IsNoLongerRemovedOnceItIsForgotten) {
  const TemporaryDirectory dir;
  const Temporary file = open_temporary(dir / "out", 0600, "cannot write");
  forget_temporary(file.slot);
  remove_temporaries();
  EXPECT_EQ(dir.entries().size(), 1u);
  EXPECT_EQ(remove_stale_temporaries(dir / "out"), 0) << "it is open";
  close(file.descriptor);
  EXPECT_EQ(remove_stale_temporaries(dir / "out"), 1);
}

TEST(SignalsHeld, MakeTheirHandlerWait) {
  std::optional<SignalsHeld> held;
  held.emplace();
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
  std::atomic<bool> is_done{false};
  std::thread handler([&] {
    remove_temporaries();
    is_done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(is_done);
  held.reset();
  handler.join();
  EXPECT_TRUE(is_done);
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 0);
}

}  // namespace
}  // namespace phpc::io
