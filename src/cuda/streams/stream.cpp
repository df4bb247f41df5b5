#include "cuda/streams/stream.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "cuda/errors/failure.hpp"
#include "cuda/streams/capture.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/exec/unfinished_launches.hpp"

namespace phpc::cuda {

namespace {

/// Whether the calling thread is doing a stream's work. What calls the API then is a callback, which CUDA forbids.
thread_local bool at_work = false;

/// The stream in whose lane the calling thread issues work; null where it issues none.
thread_local Stream* issuing = nullptr;

struct AtWork {
  AtWork() { at_work = true; }
  ~AtWork() { at_work = false; }
};

void run_now(const Work& work) {
  if (work) {
    work();
  }
}

void run_now(const WorkInPlace& work) {
  work();
}

const Work& kept(const Work& work) {
  return work;
}

Work kept(const WorkInPlace& work) {
  return work.copy();
}

}  // namespace

void refuse_at_work() {
  require(!at_work, cudaErrorNotPermitted);
}

Stream::Stream(Context& context, unsigned flags, int priority) : context_(context), flags_(flags), priority_(priority) {
  const std::scoped_lock lock(context_.order());
  context_.add(this);
}

Stream::~Stream() {
  progress_->wait(progress_->taken());
  const std::scoped_lock lock(context_.order());
  context_.remove(this);
}

/// The last work, not yet done, of each of the streams that this one is ordered with. Under the context's order.
std::vector<Dependency> Stream::others() const {
  std::vector<Dependency> others;
  const auto add = [&](const Stream& other) {
    const Dependency last{other.progress_, other.progress_->taken()};
    if (!last.is_done()) {
      others.push_back(last);
    }
  };
  if (this == &context_.legacy()) {
    for (const Stream* const other : context_.streams()) {
      if (other != this && other->is_blocking()) {
        add(*other);
      }
    }
  } else if (is_blocking()) {
    add(context_.legacy());
  }
  return others;
}

Stream::Turn Stream::take_turn() {
  refuse_at_work();
  Turn turn;
  turn.after = others();
  turn.ticket = progress_->take();
  return turn;
}

/// Does the work unless a kernel has failed, and returns the code of its failure or of the earlier one.
template <class AnyWork>
cudaError_t Stream::run_work(Context& context, const AnyWork& work, const Manner& manner) {
  cudaError_t code = context.failure();
  if (!manner.always && code != cudaSuccess) {
    return code;
  }
  const AtWork here;
  try {
    run_now(work);
    return cudaSuccess;
  } catch (...) {
    code = code_of(std::current_exception());
    if (manner.unattended) {
      context.note(code);
    } else {
      context.note_failure(code);
    }
    return code;
  }
}

/// Does the work when its turn comes, and returns the code of its failure or of an earlier kernel's. The ticket is done in any
/// case; before it is, an error that nobody else will be told of is noted, so that whoever waits for the ticket is told.
template <class AnyWork>
cudaError_t Stream::perform(Context& context, Progress& progress, const Turn& turn, const AnyWork& work, const Manner& manner) {
  for (const Dependency& one : turn.after) {
    one.wait();
  }
  progress.wait(turn.ticket - 1);
  const cudaError_t code = run_work(context, work, manner);
  progress.finish(turn.ticket);
  return code;
}

/// How many launches a stream's worker issues before it waits for them: a driver's queue has an end.
constexpr std::uint64_t most_unfinished = 256;

/// Waits for the launches that were issued, whose tickets are done then.
void Stream::Worker::settle() {
  try {
    exec::UnfinishedLaunches::wait();
  } catch (...) {
    context.note(launch_code_of(std::current_exception()));
  }
  if (issued != 0 && !progress->is_done(issued)) {
    progress->finish(issued);
  }
}

/// Does the work as the other perform() does, in the worker of the stream's queue. Launches are issued behind those before them,
/// without a wait between.
void Stream::Worker::perform(const Turn& turn, const Work& work, const Manner& manner) {
  const std::uint64_t before = turn.ticket - 1;
  const auto done = [](const Dependency& one) { return one.is_done(); };
  if (!manner.launches || !std::all_of(turn.after.begin(), turn.after.end(), done) ||
      !(issued == before || progress->is_done(before)) || turn.ticket % most_unfinished == 0) {
    settle();
  }
  if (!manner.launches) {
    Stream::perform(context, *progress, turn, work, manner);
    return;
  }
  for (const Dependency& one : turn.after) {
    one.wait();
  }
  if (issued != before) {
    progress->wait(before);
  }
  run_work(context, work, manner);
  issued = turn.ticket;
}

bool Stream::is_issuable(const Turn& turn) {
  const std::uint64_t before = turn.ticket - 1;
  if (!std::all_of(turn.after.begin(), turn.after.end(), [](const Dependency& one) { return one.is_done(); }) ||
      !(progress_->is_done(before) || progress_->issued() == before)) {
    return false;
  }
  if (lane_ == nullptr) {
    std::shared_ptr<const exec::LaunchLane> lane = exec::LaunchLane::on(context_.device());
    if (lane == nullptr) {
      return false;
    }
    settle_ = std::make_shared<const Progress::Settle>([&context = context_, lane] {
      try {
        lane->wait();
      } catch (...) {
        context.note(launch_code_of(std::current_exception()));
      }
    });
    lane_ = std::move(lane);
  }
  return true;
}

template <class AnyWork>
bool Stream::issue(const Turn& turn, const AnyWork& work, const Manner& manner) {
  if (!is_issuable(turn)) {
    return false;
  }
  cudaError_t code = cudaSuccess;
  {
    const exec::LaunchLane::Scope here(*lane_);
    Stream* const before = std::exchange(issuing, this);
    code = run_work(context_, work, {.always = manner.always, .unattended = true});
    issuing = before;
  }
  progress_->issue(turn.ticket, settle_);
  if (manner.stamps && code != cudaSuccess) {  // most likely a kernel has failed; without a stamp nobody would find out by asking
    progress_->wait(turn.ticket);
  }
  return true;
}

void* Stream::parameter_memory(std::size_t bytes) {
  Stream* const stream = issuing;
  if (stream == nullptr) {
    return nullptr;
  }
  exec::Buffer<std::byte>& memory = stream->parameters_;
  if (static_cast<std::size_t>(memory.size()) < bytes) {
    stream->lane_->wait();  // for the launch that reads the old memory
    constexpr std::size_t least = 4096;
    memory = exec::Buffer<std::byte>();
    memory = exec::Buffer<std::byte>(stream->context_.device(), static_cast<index_t>(std::bit_ceil(std::max(bytes, least))));
  }
  return memory.data();
}

template <class AnyWork>
Dependency Stream::append(const AnyWork& work, const Manner& manner, const Dependency& after) {
  std::unique_lock lock(context_.order());
  if (capture_ != nullptr) {
    capture_->add(kept(work));
    return {};
  }
  Turn turn = take_turn();
  if (!after.is_done()) {
    turn.after.push_back(after);
  }
  const Dependency mark{progress_, turn.ticket};
  if (context_.device().is_host()) {
    lock.unlock();
    const cudaError_t code = perform(context_, *progress_, turn, work, manner);
    require(code == cudaSuccess, code);
    return mark;
  }
  try {
    if ((manner.stamps || manner.launches) && issue(turn, work, manner)) {
      return mark;
    }
    if (!queue_) {
      worker_ = std::make_unique<Worker>(Worker{.context = context_, .progress = progress_});
      queue_.emplace(context_.device(), [worker = worker_.get()] { worker->settle(); });
    }
    Manner by_worker = manner;
    by_worker.unattended = true;
    queue_->enqueue([worker = worker_.get(), turn, copy = kept(work), by_worker] { worker->perform(turn, copy, by_worker); });
  } catch (...) {  // no thread or no memory for it: the ticket was given, and others may wait for it
    lock.unlock();
    perform(context_, *progress_, turn, Work(), {.always = true});
    throw;
  }
  return mark;
}

void Stream::enqueue(const Work& work) {
  append(work, {}, {});
}

void Stream::enqueue_launches(const WorkInPlace& work) {
  append(work, {.launches = true}, {});
}

void Stream::enqueue_launches(const Work& work) {
  append(work, {.launches = true}, {});
}

Dependency Stream::mark(const Work& work, const Dependency& after) {
  return append(work, {.always = true}, after);
}

Dependency Stream::note_place(const Work& work) {
  return append(work, {.always = true, .stamps = true}, {});
}

void Stream::refuse_in_capture() {
  if (capture_ != nullptr) {
    capture_->invalidate();
    refuse(cudaErrorStreamCaptureUnsupported);
  }
}

void Stream::run(const Work& work) {
  std::unique_lock lock(context_.order());
  refuse_in_capture();
  const Turn turn = take_turn();
  lock.unlock();
  const cudaError_t code = perform(context_, *progress_, turn, work, {});
  require(code == cudaSuccess, code);
}

void Stream::run_copies(const Work& work, Copies copies) {
  std::unique_lock lock(context_.order());
  refuse_in_capture();
  const Turn turn = take_turn();
  const bool is_issued = !context_.device().is_host() && is_issuable(turn);
  const bool is_first = progress_->is_done(turn.ticket - 1);
  lock.unlock();
  cudaError_t code = cudaSuccess;
  if (!is_issued) {
    code = perform(context_, *progress_, turn, work, {});
  } else {
    {
      // Nothing else is issued in the lane meanwhile: this ticket is not.
      const exec::LaunchLane::Scope here(*lane_);
      code = run_work(context_, work, {});
    }
    if (copies == Copies::to_host && code == cudaSuccess) {
      progress_->finish(turn.ticket);  // the copies waited for the lane
    } else {
      progress_->issue(turn.ticket, settle_);
    }
    if (code != cudaSuccess || copies == Copies::arrived || (copies == Copies::read_behind && !is_first)) {
      progress_->wait(turn.ticket);  // keeps the failure of a launch
    }
    code = code != cudaSuccess && context_.failure() != cudaSuccess ? context_.failure() : code;
  }
  require(code == cudaSuccess, code);
}

void Stream::wait() {
  std::unique_lock lock(context_.order());
  refuse_at_work();
  refuse_in_capture();
  const std::vector<Dependency> before = this == &context_.legacy() ? others() : std::vector<Dependency>();
  const std::uint64_t last = progress_->taken();
  lock.unlock();
  for (const Dependency& one : before) {
    one.wait();
  }
  progress_->wait(last);
}

bool Stream::is_idle() {
  std::unique_lock lock(context_.order());
  refuse_in_capture();
  if (progress_->ends_in_issued()) {
    lock.unlock();
    enqueue({});  // by which the worker waits for them
    return false;
  }
  return progress_->is_done(progress_->taken()) && (this != &context_.legacy() || others().empty());
}

std::shared_ptr<Capture> Stream::capture() const {
  const std::scoped_lock lock(context_.order());
  return capture_;
}

void Stream::set_capture(std::shared_ptr<Capture> capture) {
  const std::scoped_lock lock(context_.order());
  capture_ = std::move(capture);
}

}  // namespace phpc::cuda
