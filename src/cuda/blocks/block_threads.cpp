#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "cuda/blocks/block_state.hpp"
#include "cuda/blocks/fiber.hpp"
#include "cuda/blocks/warp_steps.hpp"
#include "phpc/cuda/detail/block.hpp"

/// Runs the threads of a block on one host thread, in turns: each on a stack of its own, until it waits for others. Its warps run
/// one after another, so that only the stacks of one are in use at a time. Measured on one core, a thread's turn takes about 10
/// ns.
namespace phpc::cuda::detail {

namespace {

[[noreturn]] void stop(const char* why) {
  std::fprintf(stderr, "portable-hpc: %s\n", why);
  std::abort();
}

/// The threads of a block that the calling host thread runs: every size-th warp of the block.
class BlockThreads {
 public:
  void run(Here* here, void (*thread)(const void*), const void* body) {
    here_ = here;
    thread_ = thread;
    body_ = body;
    take_threads();
    int round = 0;
    do {
      waiting_ = 0;
      votes_ = 0;
      idle_passes_ = 0;
      while (run_warps()) {
        ++idle_passes_;
        std::this_thread::yield();
      }
      if (here_->size > 1) {
        await_team(round);
        round = (round + 1) % 3;
      }
      waiting_at_barrier_ = waiting_;
      votes_at_barrier_ = votes_;
      for (Warp& warp : warps_) {
        warp.ready = warp.alive;
      }
    } while (waiting_at_barrier_ > 0);
  }

  BarrierVotes barrier(bool predicate) {
    ++waiting_;
    votes_ += predicate ? 1 : 0;
    idle_passes_ = 0;
    suspend();
    return {.waiting = waiting_at_barrier_, .votes = votes_at_barrier_};
  }

  void meet(WarpMeeting* meeting) {
    Warp& warp = *warp_;
    meeting->lane = lane_;
    meeting->present = 0;
    lane(lane_).meeting = meeting;
    warp.meeting |= 1U << lane_;
    warp.passes = 0;
    idle_passes_ = 0;
    if (!meeting->whoever_comes && (warp.alive & meeting->mask & ~warp.meeting) == 0) {
      finish_if_complete(*meeting);
    }
    if (meeting->present == 0) {
      suspend();
    } else {
      warp.ready &= ~(1U << lane_);  // runs on at once
    }
  }

  void step(unsigned position, const void* place) {
    Warp& warp = *warp_;
    const unsigned own = 1U << lane_;
    has_stepped_ = true;
    WarpSteps& known = steps();
    known.note(lane_, position, place);
    if (!known.spins(lane_)) {
      idle_passes_ = 0;
    }
    warp.stepped |= own;
    if (warp.ready != 0) {
      suspend();
      return;
    }
    const unsigned next = take_next();
    if (next == 0) {
      warp.rests = true;
      suspend();
    } else if (const int first = std::countr_zero(next); first != lane_) {
      go_to(first, &lane(lane_).context);
    } else {
      warp.ready &= ~own;  // runs on at once
    }
  }

 private:
  [[nodiscard]] Thread& lane(int number) { return lanes_[number]; }

  /// Makes all threads of the block fresh. Blocks of the same kernel have the same threads, which are numbered once.
  void take_threads() {
    const Team team{here_->indices.block_dim.x, here_->indices.block_dim.y, here_->indices.block_dim.z, here_->rank, here_->size};
    if (team != team_) {
      number_threads();
      team_ = team;
    }
    if (std::exchange(has_stepped_, false)) {
      for (WarpSteps& steps : steps_) {
        steps.reset();
      }
    }
    Thread* lanes = threads_.data();
    for (Warp& warp : warps_) {
      warp.alive = warp.ready = warp.all;
      warp.meeting = 0;
      warp.passes = 0;
      for (int number = 0; number < warp_size; ++number) {
        lanes[number].state = (warp.all >> number & 1U) != 0 ? State::fresh : State::gone;
      }
      lanes += warp_size;
    }
  }

  void number_threads() {
    const dim3 dim = here_->indices.block_dim;
    const unsigned count = dim.x * dim.y * dim.z;
    std::size_t taken = 0;
    warps_.clear();
    threads_.clear();
    steps_.clear();
    uint3 index{0, 0, 0};
    for (unsigned thread = 0; thread < count; ++thread) {
      if (static_cast<int>(thread / warp_size % static_cast<unsigned>(here_->size)) == here_->rank) {
        if (thread % warp_size == 0) {
          warps_.emplace_back();
          threads_.resize(threads_.size() + warp_size);
        }
        threads_[taken++].index = index;
        warps_.back().all |= 1U << thread % warp_size;
      }
      if (++index.x == dim.x) {
        index.x = 0;
        if (++index.y == dim.y) {
          index.y = 0;
          ++index.z;
        }
      }
    }
  }

  /// Runs the threads of each warp until all of them wait at the barrier or are gone, or wait for other warps in steps. Returns
  /// whether there are some of the last kind.
  bool run_warps() {
    bool any_stepped = false;
    lanes_ = threads_.data();
    for (Warp& warp : warps_) {
      warp_ = &warp;
      run_warp();
      any_stepped = any_stepped || warp.stepped != 0;
      lanes_ += warp_size;
    }
    return any_stepped;
  }

  /// Runs the threads of a warp until all of them wait at the barrier or are gone, or in steps for other warps.
  void run_warp() {
    Warp& warp = *warp_;
    ++warp.passes;
    do {
      while (warp.ready != 0) {
        go_to(std::countr_zero(warp.ready), &scheduler_);
        if (ended_ >= 0) {
          free_stacks_.push_back(lane(ended_).stack);
          ended_ = -1;
          // Lanes that waited for this one alone may go on.
          for (unsigned left = warp.meeting; left != 0; left &= left - 1) {
            const int other = std::countr_zero(left);
            if ((warp.meeting >> other & 1U) != 0 && !lane(other).meeting->whoever_comes) {
              finish_if_complete(*lane(other).meeting);
            }
          }
        }
      }
    } while (begin_round() || finish_for_those_here());
  }

  /// Makes the lanes of a warp ready that may leave their step next. Returns whether there are some.
  bool begin_round() { return warp_->stepped != 0 && !std::exchange(warp_->rests, false) && take_next() != 0; }

  /// Passes of the block in which no lane did anything but look for what it waits for, after which that will not come. (One may
  /// look at two places, at each in every second pass; what other blocks write takes longer.)
  static constexpr int most_idle_passes = 256;
  /// Passes after which lanes that wait for whoever comes wait no more for lanes that are busy. Each is many rounds of these.
  static constexpr int most_passes = 32;

  /// Whether a meeting's lanes need not wait for the others of their warp, since these cannot run, as far as is known.
  [[nodiscard]] bool may_finish(const WarpMeeting& meeting) {
    return warp_->stepped == 0 || (steps().all_spin(warp_->stepped) ? idle_passes_ >= most_idle_passes
                                                                    : meeting.whoever_comes && warp_->passes >= most_passes);
  }

  /// Makes lanes that wait in a step ready, and returns which; 0: other warps should run first.
  unsigned take_next() {
    Warp& warp = *warp_;
    const unsigned next = steps().next(warp.stepped);
    warp.stepped &= ~next;
    warp.ready |= next;
    return next;
  }

  [[nodiscard]] WarpSteps& steps() {
    if (steps_.empty()) {
      steps_.resize(warps_.size());
    }
    return steps_[static_cast<std::size_t>(warp_ - warps_.data())];
  }

  /// Suspends `from` and lets a lane of the warp run.
  void go_to(int next, FiberContext* from, bool ends = false) {
    Thread& thread = lane(next);
    if (thread.state == State::fresh) {
      if (free_stacks_.empty()) {
        free_stacks_.push_back(stacks_used_++);
      }
      thread.stack = free_stacks_.back();
      free_stacks_.pop_back();
      stacks_.prepare(thread.stack, &enter, this, &thread.context);
      thread.state = State::suspended;
    }
    lane_ = next;
    warp_->ready &= ~(1U << next);
    here_->indices.thread_index = thread.index;
    switch_fiber(from, &thread.context, ends);
  }

  static void enter(void* self) { static_cast<BlockThreads*>(self)->run_thread(); }

  void run_thread() {
    fiber_begins(&scheduler_);
    thread_(body_);
    lane(lane_).state = State::gone;
    idle_passes_ = 0;
    warp_->alive &= ~(1U << lane_);
    ended_ = lane_;
    switch_fiber(&lane(lane_).context, &scheduler_, true);
  }

  /// Lets the lanes after this one run first, then, from the scheduler, those before it.
  void suspend() {
    FiberContext* const self = &lane(lane_).context;
    const unsigned later = warp_->ready & ~((2U << lane_) - 1U);
    if (later != 0 && lane(std::countr_zero(later)).state == State::suspended) {
      go_to(std::countr_zero(later), self);
    } else {
      switch_fiber(self, &scheduler_);
    }
  }

  /// The lanes of the warp that came to the same meeting.
  [[nodiscard]] unsigned group_of(const WarpMeeting& meeting) {
    unsigned group = 0;
    for (unsigned left = warp_->meeting; left != 0; left &= left - 1) {
      const int number = std::countr_zero(left);
      const WarpMeeting* const other = lane(number).meeting;
      if (other->mask == meeting.mask && other->finish == meeting.finish && other->whoever_comes == meeting.whoever_comes) {
        group |= 1U << number;
      }
    }
    return group;
  }

  void finish_if_complete(const WarpMeeting& meeting) {
    const unsigned group = group_of(meeting);
    if ((warp_->alive & meeting.mask & ~group) == 0) {
      finish(group, meeting.finish);
    }
  }

  /// Ends a meeting of a warp none of whose lanes are ready, where the others will not come: the first that waits for whoever
  /// comes, else that of the lowest lane. (The lanes that it still waits for wait elsewhere; a GPU would not wait for lanes that
  /// have diverged.) Returns whether there was one.
  bool finish_for_those_here() {
    const WarpMeeting* chosen = nullptr;
    for (unsigned left = warp_->meeting; left != 0; left &= left - 1) {
      const WarpMeeting* const meeting = lane(std::countr_zero(left)).meeting;
      if (chosen == nullptr || (meeting->whoever_comes && !chosen->whoever_comes)) {
        chosen = meeting;
      }
    }
    if (chosen == nullptr || !may_finish(*chosen)) {
      return false;
    }
    finish(group_of(*chosen), chosen->finish);
    return true;
  }

  void finish(unsigned group, void (*exchange)(WarpMeeting* const*, unsigned)) {
    std::array<WarpMeeting*, warp_size> lanes{};
    for (unsigned left = group; left != 0; left &= left - 1) {
      const int number = std::countr_zero(left);
      lanes[static_cast<std::size_t>(number)] = lane(number).meeting;
      lane(number).meeting->present = group;
    }
    warp_->meeting &= ~group;
    warp_->ready |= group;
    if (exchange != nullptr) {
      exchange(lanes.data(), group);
    }
  }

  /// Waits until the other host threads of the team have brought their threads to a barrier, or have none left.
  void await_team(int round) {
    TeamBoard& board = *here_->board;
    board.waiting[round] += waiting_;
    board.votes[round] += votes_;
    if (here_->rank == 0) {  // the counters of the next barrier, which were last read two barriers ago
      board.waiting[(round + 1) % 3] = 0;
      board.votes[(round + 1) % 3] = 0;
    }
#pragma omp barrier
    waiting_ = board.waiting[round];
    votes_ = board.votes[round];
  }

  using Team = std::array<std::int64_t, 5>;  ///< sides of the block, this host thread's rank, host threads

  Here* here_ = nullptr;
  Team team_{};
  void (*thread_)(const void*) = nullptr;
  const void* body_ = nullptr;
  std::vector<Thread> threads_;  ///< those of warp w begin at 32 w
  std::vector<Warp> warps_;
  bool has_stepped_ = false;      ///< some lane of the block
  std::vector<WarpSteps> steps_;  ///< of each warp, once one has made a step
  Warp* warp_ = nullptr;          ///< the warp that runs; below, its threads, and the lane that runs
  Thread* lanes_ = nullptr;
  int lane_ = 0;
  int ended_ = -1;       ///< the lane that has just ended
  int idle_passes_ = 0;  ///< of the block, since a lane did more than look for what it waits for
  FiberContext scheduler_;
  FiberStacks stacks_;
  std::vector<int> free_stacks_;
  int stacks_used_ = 0;
  int waiting_ = 0;
  int votes_ = 0;
  int waiting_at_barrier_ = 0;
  int votes_at_barrier_ = 0;
};

// A program is linked with this library, so that what each switch and each variable asks for can lie beside the program's own
// thread-local variables: without a call of the loader's, which took 7 % of kernels with barriers.
#define PHPC_BESIDE_PROGRAM [[gnu::tls_model("initial-exec")]]
PHPC_BESIDE_PROGRAM constinit thread_local Here here_of_this_thread{};
thread_local std::unique_ptr<BlockThreads> threads_of_this_thread;
// The same object, without the checks of an object that is destroyed with its thread.
PHPC_BESIDE_PROGRAM constinit thread_local BlockThreads* running = nullptr;
thread_local std::unique_ptr<SharedVariables> variables_of_this_thread;
#undef PHPC_BESIDE_PROGRAM

int number_shared_variable(SharedVariable& variable) {
  static std::mutex numbering;
  static int count = 0;
  const std::scoped_lock lock(numbering);
  int number = variable.number.load();
  if (number < 0) {
    number = count++;
    if (number >= SharedVariables::most) {
      stop("the kernels of this program have more than 4096 variables in shared memory");
    }
    variable.number.store(number, std::memory_order_release);
  }
  return number;
}

}  // namespace

extern "C" {

Here* phpc_cuda_here() noexcept {
  return &here_of_this_thread;
}

void phpc_cuda_enter_block(const Here* here) noexcept {
  here_of_this_thread = *here;
  if (here->rank == 0) {
    if (variables_of_this_thread == nullptr) {
      variables_of_this_thread = std::make_unique<SharedVariables>();
    }
    new (here->board) TeamBoard{.variables = variables_of_this_thread.get(), .waiting = {}, .votes = {}};
  }
  if (here->size > 1) {
#pragma omp barrier
  }
}

void phpc_cuda_run_cooperating(void (*thread)(const void* body), const void* body) noexcept {
  if (threads_of_this_thread == nullptr) {
    threads_of_this_thread = std::make_unique<BlockThreads>();
    running = threads_of_this_thread.get();
  }
  try {
    running->run(&here_of_this_thread, thread, body);
  } catch (const std::exception& error) {
    stop(error.what());
  }
}

BarrierVotes phpc_cuda_barrier(bool predicate) noexcept {
  return running->barrier(predicate);
}

void phpc_cuda_meet(WarpMeeting* meeting) noexcept {
  running->meet(meeting);
}

void phpc_cuda_step(unsigned position, const void* place) noexcept {
  running->step(position, place);
}

bool phpc_cuda_has_steps(void (* /*thread*/)(const void* body)) noexcept {
  return false;
}

void* phpc_cuda_shared_variable(SharedVariable* variable, std::size_t bytes) noexcept {
  int number = variable->number.load(std::memory_order_acquire);
  if (number < 0) {
    number = number_shared_variable(*variable);
  }
  SharedVariables& variables = *here_of_this_thread.board->variables;
  std::atomic<void*>& place = variables.places[static_cast<std::size_t>(number)];
  void* memory = place.load(std::memory_order_acquire);
  if (memory == nullptr) {
    const std::scoped_lock lock(variables.growing);
    memory = place.load();
    if (memory == nullptr) {
      constexpr std::size_t alignment = 128;
      memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
      if (memory == nullptr) {
        stop("no memory for the shared memory of a thread block");
      }
      place.store(memory, std::memory_order_release);
    }
  }
  return memory;
}

bool phpc_cuda_runs_block(unsigned /*x*/, unsigned /*y*/, unsigned /*z*/) noexcept {
  return false;
}

unsigned phpc_cuda_thread_index(int axis) noexcept {
  const uint3& index = here_of_this_thread.indices.thread_index;
  return axis == 0 ? index.x : axis == 1 ? index.y : index.z;
}

void* phpc_cuda_contexts(std::size_t bytes) noexcept {
  struct Freed {
    void operator()(void* memory) const { std::free(memory); }
  };
  thread_local std::unique_ptr<void, Freed> memory;
  thread_local std::size_t size = 0;
  if (bytes > size) {
    constexpr std::size_t alignment = 64;
    size = (bytes + alignment - 1) / alignment * alignment;
    memory.reset();
    memory.reset(std::aligned_alloc(alignment, size));
    if (memory == nullptr) {
      stop("no memory for the variables of a block's threads");
    }
  }
  return memory.get();
}

}  // extern "C"

}  // namespace phpc::cuda::detail
