#pragma once
#include <cstddef>

#include "phpc/cuda/detail/device_types.hpp"

namespace phpc::cuda {

/// The member of cudaDeviceProp that holds an attribute: one of the two pointers, or neither.
struct DeviceField {
  int* number = nullptr;
  std::size_t* size = nullptr;
};
/// Finds the member of `properties` for an attribute.
DeviceField field_of(cudaDeviceProp& properties, cudaDeviceAttr attribute);

}  // namespace phpc::cuda
