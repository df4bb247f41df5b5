#pragma once
#include "fft/device/fixed/shapes/row_shapes_f32.hpp"
#include "fft/device/fixed/shapes/row_shapes_f64.hpp"

// Register-capped kernels: teams of more than 256 threads have sources of their own (columns_register_capped.cpp,
// four_step_register_capped.cpp.in, and of rows those of a cap), which are compiled for no more registers than a multiprocessor
// has, and 64 where two teams of 512 share one: half of the threads that it can hold are then in flight, where teams of at most
// 256 threads with 32 elements each reached 12 to 37 %. On an H200, f32, GB/s: 1024 x 1024 from 1400 to 1880, 2^19 from 1450 to
// 1820, 10^6 from 1310 to 1630, 15625 from 2400 to 2950.
