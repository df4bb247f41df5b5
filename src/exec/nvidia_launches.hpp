#pragma once

/// Launches on NVIDIA GPUs by NVIDIA's driver in place of libomptarget. The kernels are the same images that the compiler made of
/// the target regions; what is left out is libomptarget's way to them, and its wait after each: measured on an H200, launch and
/// wait took 9.6 us there and take XXX us here, and a launch that nobody waits for XXX us.
///
/// The compiler's code calls __tgt_register_lib with its images before main, and __tgt_target_kernel for each target region. This
/// library is searched for both before libomptarget is; it takes bare regions (launch.hpp) whose parameters are plain words, and
/// passes on all else. Where the dynamic linker finds libomptarget's functions first, nothing is taken.
namespace phpc::exec::nvidia {

/// Takes the launches of an OpenMP device, NVIDIA's `ordinal`, from then on; false where the images of this library are not
/// known or the driver refuses them.
bool take_launches(int omp_device, int ordinal);

/// Where a variable of a `declare target` directive is on such a device; null where it is not known.
void* variable_on(int omp_device, const void* variable);

/// Throws Error(device) if the launch that the calling thread made last was refused, or failed.
void check_launch();

/// Waits for the launches of the calling thread that are not done. A failure is kept for who asks next.
void wait_for_launches() noexcept;
/// The same. Throws Error(device) if one of them failed.
void finish_launches();
/// Launches of the calling thread are not waited for from a call with `true` to as many with `false`. Whether they are waited for
/// now.
bool leave_unfinished(bool begin);

}  // namespace phpc::exec::nvidia
