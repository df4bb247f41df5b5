#pragma once
#include "exec/nvidia/launches.hpp"

/// Events of NVIDIA's driver, which note when a GPU has come to them in a lane.
namespace phpc::exec::nvidia {

/// Records an event behind what was issued in the lane, to be given back. Throws Error(device).
void* stamp(const Lane& lane);
void give_back_stamp(void* gpu, void* event);
/// Whether the GPU has come to the event. Throws Error(device) if it failed before.
bool is_reached(void* gpu, void* event);
/// Waits until it has. Throws Error(device) likewise.
void wait_for_stamp(void* gpu, void* event);
/// Milliseconds between two events of one GPU that were reached. Throws Error(device).
float milliseconds_between(void* gpu, void* begin, void* end);

}  // namespace phpc::exec::nvidia
