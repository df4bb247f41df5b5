#pragma once
#include "cuda/streams/context.hpp"

namespace phpc::cuda {

/// The address of a device variable on a device; null where the device has none.
void* address_on(Context& context, const void* variable);

}  // namespace phpc::cuda
