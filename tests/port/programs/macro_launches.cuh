// Macros with a launch that stand in a header of their own, for kernels that it does not know.
#define ADD_ON_GRID add<<<grid, block>>>
#define LAUNCH_FROM_HEADER(kernel, ...) kernel<<<__VA_ARGS__>>>
