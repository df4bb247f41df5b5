#pragma once
#include "phpc/exec/target_region.hpp"

/// Launches on NVIDIA GPUs by NVIDIA's driver in place of libomptarget. The kernels are the images that the compiler made of the
/// target regions; what is left out is libomptarget's way to them, its wait after each, and its abort of the process when a
/// kernel fails. On an H100 a launch and the wait for it took 11.7 us by libomptarget and take 10.1 us here; each of 100 launches
/// without a wait between takes 4.0 us.
///
/// The compiler's code calls __tgt_register_lib with its images before main, and __tgt_target_kernel for each target region. The
/// dynamic linker finds this library's functions of these names before libomptarget's. They take bare regions (launch.hpp) whose
/// parameters are plain words, and pass on all else. Where libomptarget's are found first, nothing is taken.
namespace phpc::exec::nvidia {

/// Takes the launches of an OpenMP device, NVIDIA's `ordinal`, from then on; false where the images of this library are not
/// known or the driver refuses them.
bool take_launches(int omp_device, int ordinal);

/// Loads the images and makes a stream, which the calling thread's first launch on such a device would do otherwise.
void prepare_launches(int omp_device);

/// Where a variable of a `declare target` directive is on such a device; null where it is not known.
void* variable_on(int omp_device, const void* variable);

/// Gives the calling thread's next launch on such a device a league and teams of these sides; false where its launches are not
/// taken.
bool shape_next_launch(int omp_device, const Box& league, const Box& team);

/// Where launches on one device are done in order; `gpu` is null where they are not taken.
struct Lane {
  void* gpu = nullptr;
  void* stream = nullptr;
};
/// A lane of its own, until it is given back.
Lane new_lane(int omp_device);
void give_back(const Lane& lane);
/// Issues the calling thread's launches on the lane's device there from now on, without waiting for them; in the thread's own
/// lane again if `gpu` is null. Returns where they were issued before.
Lane launch_in(const Lane& lane);
/// Where the calling thread's launches on a device are issued.
Lane current_lane(int omp_device);
/// Where launch_in() had them issued; `gpu` is null where they are in the thread's own lanes.
Lane lane_of_scope();
/// Notes that there is work of the calling thread's in the lane of launch_in() that nobody has waited for.
void leave_lane_unfinished();
/// Waits for what was launched there, by whichever thread. Throws Error(device) if a kernel failed.
void wait_for(const Lane& lane);

/// Copies between such a device and memory of the host that the driver knows nothing of, after all that the calling thread has
/// waited for, and in the lane of launch_in() behind what is there; false, and nothing done, with other memory or another device.
/// The driver is faster at this when it may wait itself than libomptarget is with a stream (HeCBench's hwt1d, nothing but such
/// copies of 4 MB, on an H100: 6.2 ms by CUDA, 9.3 ms by libomptarget). Throws Error(device) if a kernel or the copy failed.
bool copy_pageable(int omp_device, void* to, const void* from, std::size_t bytes, bool to_host);

/// Copies within such a device's memory in the lane of launch_in(), behind what is there, and does not wait for it; false, and
/// nothing done, outside of such a lane. Throws Error(device) if the copy was refused.
bool copy_within(int omp_device, void* to, const void* from, std::size_t bytes);

/// Throws Error(device) if the launch that the calling thread made last was refused, or failed.
void check_launch();

/// Waits for the launches of the calling thread that are not done. A failure is kept for who asks next.
void wait_for_launches() noexcept;
/// Waits as wait_for_launches() does. Throws Error(device) if one of the launches failed.
void finish_launches();
/// Begins (true) or ends a scope in which launches of the calling thread are not waited for; scopes nest. Returns whether
/// launches are waited for now.
bool leave_unfinished(bool begin);

}  // namespace phpc::exec::nvidia
