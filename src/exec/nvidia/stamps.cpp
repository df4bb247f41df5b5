#include "exec/nvidia/stamps.hpp"

#include "exec/nvidia/driver.hpp"
#include "exec/nvidia/gpu.hpp"

namespace phpc::exec::nvidia {

#if PHPC_WITH_OFFLOAD

namespace {

constexpr Status not_ready = 600;  // CUDA_ERROR_NOT_READY

void require(Status code, const Gpu& gpu) {
  if (code != success) {
    refuse(code, gpu.ordinal());
  }
}

}  // namespace

void* stamp(const Lane& lane) {
  Gpu& gpu = *static_cast<Gpu*>(lane.gpu);
  const InContext here(gpu.context());
  const Event event = gpu.event();
  const Status code = Driver::get().event_record(event, static_cast<Stream>(lane.stream));
  if (code != success) {
    gpu.give_back(event);
    refuse(code, gpu.ordinal());
  }
  return event;
}

void give_back_stamp(void* gpu, void* event) {
  static_cast<Gpu*>(gpu)->give_back(static_cast<Event>(event));
}

bool is_reached(void* gpu, void* event) {
  const Gpu& of = *static_cast<Gpu*>(gpu);
  const InContext here(of.context());
  const Status code = Driver::get().event_query(static_cast<Event>(event));
  require(code == not_ready ? success : code, of);
  return code == success;
}

void wait_for_stamp(void* gpu, void* event) {
  const Gpu& of = *static_cast<Gpu*>(gpu);
  const InContext here(of.context());
  require(Driver::get().event_wait(static_cast<Event>(event)), of);
}

float milliseconds_between(void* gpu, void* begin, void* end) {
  const Gpu& of = *static_cast<Gpu*>(gpu);
  const InContext here(of.context());
  float milliseconds = 0;
  require(Driver::get().event_elapsed(&milliseconds, static_cast<Event>(begin), static_cast<Event>(end)), of);
  return milliseconds;
}

#else

void* stamp(const Lane& /*lane*/) {
  return nullptr;
}
void give_back_stamp(void* /*gpu*/, void* /*event*/) {}
bool is_reached(void* /*gpu*/, void* /*event*/) {
  return true;
}
void wait_for_stamp(void* /*gpu*/, void* /*event*/) {}
float milliseconds_between(void* /*gpu*/, void* /*begin*/, void* /*end*/) {
  return 0;
}

#endif

}  // namespace phpc::exec::nvidia
