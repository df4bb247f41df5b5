#pragma once
#include "fft/device/fixed/shapes/shape.hpp"

namespace phpc::fft {

// Register-capped kernels: teams of more than 256 threads have sources of their own (rows_register_capped.cpp,
// columns_register_capped.cpp, four_step_register_capped.cpp.in), which are compiled for no more registers than a multiprocessor
// has, and 64 where two teams of 512 share one: half of the threads that it can hold are then in flight, where teams of at most
// 256 threads with 32 elements each reached 12 to 37 %. On an H200, f32, GB/s: 1024 x 1024 from 1400 to 1880, 2^19 from 1450 to
// 1820, 10^6 from 1310 to 1630, 15625 from 2400 to 2950. The kernel of 6561 took 85 registers for 243 threads, which leaves room
// for two teams; with 80 there are three, and 256 MiB take 165 and 169 us in place of 174 and 172 (two calls).

/// Rows: whole transforms, contiguous in memory.
template <class Real>
struct FixedRows;

template <>
struct FixedRows<float> {
  using Small = ShapeList<FixedShape<2, 64, 0, 4, 2>,                   // 8
                          FixedShape<3, 32, 0, 4, 3>,                   // 12
                          FixedShape<4, 32, 0, 4, 4>,                   // 16
                          FixedShape<2, 64, 0, 17>,                     // 17
                          FixedShape<3, 64, 0, 37>,                     // 37
                          FixedShape<8, 16, 0, 8, 4>,                   // 32
                          FixedShape<6, 32, 0, 8, 6>,                   // 48
                          FixedShape<16, 16, 0, 8, 8>,                  // 64
                          FixedShape<20, 8, 0, 5, 5, 4>,                // 100
                          FixedShape<16, 16, 0, 16, 8>,                 // 128
                          FixedShape<16, 8, 0, 16, 16>,                 // 256
                          FixedShape<30, 8, 0, 12, 6, 5>,               // 360
                          FixedShape<64, 1, 0, 8, 8, 8>>;               // 512
  using Large = ShapeList<FixedShape<100, 2, 0, 10, 10, 10>,            // 1000
                          FixedShape<91, 1, 0, 11, 13, 7>,              // 1001
                          FixedShape<64, 1, 0, 16, 4, 16>,              // 1024
                          FixedShape<108, 2, 0, 10, 12, 9>,             // 1080
                          FixedShape<128, 1, 0, 12, 8, 16>,             // 1536
                          FixedShape<128, 1, 0, 16, 16, 8>,             // 2048
                          FixedShape<243, 1, 0, 9, 9, 27>,              // 2187
                          FixedShape<125, 1, 0, 25, 25, 5>,             // 3125
                          FixedShape<240, 1, 0, 15, 15, 16>,            // 3600
                          FixedShape<195, 1, 0, 15, 13, 21>,            // 4095
                          FixedShape<256, 1, 0, 16, 16, 16>,            // 4096
                          FixedShape<240, 1, 0, 16, 15, 21>,            // 5040
                          FixedShape<256, 1, 0, 32, 16, 16>,            // 8192
                          FixedShape<250, 1, 0, 20, 20, 25>,            // 10000
                          FixedShape<256, 1, 8, 32, 32, 16>>;           // 16384
  using RegisterCapped = ShapeList<FixedShape<243, 1, 0, 27, 27, 9>,    // 6561
                                   FixedShape<625, 1, 0, 25, 25, 25>>;  // 15625
};

template <>
struct FixedRows<double> {
  using Small = ShapeList<FixedShape<1, 64, 0, 8>,                 // 8
                          FixedShape<3, 32, 0, 4, 3>,              // 12
                          FixedShape<4, 32, 0, 4, 4>,              // 16
                          FixedShape<2, 64, 0, 17>,                // 17
                          FixedShape<3, 32, 0, 19>,                // 19
                          FixedShape<3, 32, 0, 31>,                // 31
                          FixedShape<3, 32, 0, 37>,                // 37
                          FixedShape<4, 32, 0, 8, 4>,              // 32
                          FixedShape<6, 16, 0, 8, 6>,              // 48
                          FixedShape<8, 16, 0, 8, 8>,              // 64
                          FixedShape<10, 12, 0, 10, 10>,           // 100
                          FixedShape<16, 8, 0, 16, 8>,             // 128
                          FixedShape<32, 4, 0, 16, 16>,            // 256
                          FixedShape<36, 4, 0, 10, 6, 6>,          // 360
                          FixedShape<64, 2, 0, 8, 8, 8>>;          // 512
  using Large = ShapeList<FixedShape<100, 1, 0, 10, 10, 10>,       // 1000
                          FixedShape<91, 1, 0, 11, 13, 7>,         // 1001
                          FixedShape<64, 1, 0, 16, 8, 8>,          // 1024
                          FixedShape<108, 1, 0, 10, 12, 9>,        // 1080
                          FixedShape<128, 1, 0, 12, 8, 16>,        // 1536
                          FixedShape<128, 1, 0, 16, 8, 16>,        // 2048
                          FixedShape<243, 1, 0, 9, 9, 9, 3>,       // 2187
                          FixedShape<125, 1, 0, 5, 5, 5, 5, 5>,    // 3125
                          FixedShape<240, 1, 0, 15, 15, 16>,       // 3600
                          FixedShape<195, 1, 0, 15, 13, 7, 3>,     // 4095
                          FixedShape<256, 1, 0, 16, 16, 16>,       // 4096
                          FixedShape<240, 1, 0, 16, 15, 21>,       // 5040
                          FixedShape<243, 1, 0, 9, 9, 9, 9>,       // 6561
                          FixedShape<256, 1, 8, 16, 8, 8, 8>,      // 8192
                          FixedShape<250, 1, 0, 10, 10, 10, 10>>;  // 10000
  using RegisterCapped = ShapeList<>;
};

}  // namespace phpc::fft
