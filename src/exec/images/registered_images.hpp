#pragma once
#include <vector>

/// The images for devices that the libraries of this process hold, as their constructors tell libomptarget (and, on the way
/// there, this library).
namespace phpc::exec {

/// What is registered at an address.
struct FoundEntry {
  int library = -1;  ///< a number that stays the same; -1 = nothing is registered there
  const char* name = nullptr;
};
FoundEntry find_entry(const void* address);
/// How many libraries there are; their numbers are 0, 1, ...
int image_libraries();
/// A library's images for a GPU of compute capability major.minor, the best one first.
std::vector<const void*> images_for(int library, int major, int minor);

/// From now on keeps from libomptarget that libraries go when the process ends: it would close the devices after NVIDIA's driver
/// has ended, and print errors. (Called after main began; what is registered before would run too late.)
void keep_images_to_the_end();

}  // namespace phpc::exec
