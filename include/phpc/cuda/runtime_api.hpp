#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

#if !defined(PHPC_CUDA_PARSING)
#include "phpc/cuda/launch_queue.hpp"
#endif
#include "phpc/cuda/runtime_types.hpp"
#include "phpc/cuda/words.hpp"

/// CUDA's run-time API over `exec`. Every call answers with a code of CUDA's and throws nothing; a code other than cudaSuccess is
/// also kept for cudaGetLastError. Devices are those of PHPC_DEVICE in the environment, a value as `--device` takes it; without
/// it all GPUs, or the host where there is none.
// NOLINTBEGIN(readability-identifier-naming): CUDA's names.
PHPC_CUDA_BEGIN

// --- errors
// ---------------------------------------------------------------------------------------------------------------------
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
#if defined(__NVPTX__) || defined(__AMDGCN__)
// In kernels nothing is launched, so nothing is waited for and nothing fails.
inline cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
inline cudaError_t cudaPeekAtLastError() {
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}
#else
/// The last error of the calling host thread, which it clears; the failure of a kernel stays until cudaDeviceReset.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
/// Waits for all work on the current device.
cudaError_t cudaDeviceSynchronize();
#endif

// --- devices
// --------------------------------------------------------------------------------------------------------------------
cudaError_t cudaGetDeviceCount(int* count);
/// Sets the calling host thread's device.
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
cudaError_t cudaDeviceReset();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDeviceGetPCIBusId(char* bus_id, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* bus_id);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to);

// --- memory
// ---------------------------------------------------------------------------------------------------------------------
cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int flags = cudaHostAllocDefault);
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags = cudaHostRegisterDefault);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags = 0);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host_pointer);
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int flags = cudaMemAttachGlobal);
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device, cudaStream_t stream = nullptr);
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location, unsigned int flags,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device);
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t bytes = 0,
                                     unsigned int flags = cudaMemAttachSingle);

// Pools are accepted: memory of a stream comes from its device and goes back to it.
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytes_to_keep);
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream);

namespace phpc::cuda::detail {

/// The address of a pointer to anything, also to `const`, as that of a pointer to nothing known.
template <class T>
void** untyped(T** pointer) {
  return reinterpret_cast<void**>(const_cast<std::remove_cv_t<T>**>(pointer));
}

}  // namespace phpc::cuda::detail

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc(phpc::cuda::detail::untyped(pointer), bytes);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned int flags = cudaHostAllocDefault) {
  return cudaMallocHost(phpc::cuda::detail::untyped(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned int flags) {
  return cudaHostAlloc(phpc::cuda::detail::untyped(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer, unsigned int flags = 0) {
  return cudaHostGetDevicePointer(phpc::cuda::detail::untyped(device_pointer), host_pointer, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(phpc::cuda::detail::untyped(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return cudaMallocPitch(phpc::cuda::detail::untyped(pointer), pitch, width, height);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(phpc::cuda::detail::untyped(pointer), bytes, stream);
}
inline cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(phpc::cuda::detail::untyped(pointer), bytes, pool, stream);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(phpc::cuda::detail::untyped(pointer), bytes, pool, stream);
}

// --- copies and sets
// ------------------------------------------------------------------------------------------------------------
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* what);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* what, cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height);
cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream = nullptr);

// --- streams and events
// ---------------------------------------------------------------------------------------------------------
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
/// Waits for the stream's work, which CUDA's does not.
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = cudaEventWaitDefault);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data, unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                     unsigned int flags = cudaEventRecordDefault);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
/// Milliseconds of the host's clock between what the events stand behind.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);

// --- graphs: what streams are given is recorded, and done again in that order
// ---------------------------------------------------
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log,
                                 std::size_t log_bytes);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count);

// --- profiler: accepted
// ---------------------------------------------------------------------------------------------------------
inline cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
inline cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}

PHPC_CUDA_END

namespace phpc::cuda {
/// What the translator tells of a kernel: bytes of static shared memory of a block, and __launch_bounds__.
struct KernelAttributes {
  std::size_t shared_bytes = 0;
  int most_threads = 1024;
};
/// Stands around a kernel that a call asks about.
template <class T>
KernelAttributes with_attributes(T /*kernel*/, std::size_t shared_bytes, int most_threads = 1024) {
  return {shared_bytes, most_threads};
}
}  // namespace phpc::cuda
namespace phpc::cuda::detail {
PHPC_CUDA_BEGIN
/// Copies `bytes` from `offset` bytes behind the beginning of a device variable, or to there; `symbol` is its address on the
/// host.
cudaError_t copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, bool wait);
cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t symbol_bytes, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, cudaStream_t stream, bool wait);
cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t symbol_bytes);
/// Plausible answers about a kernel.
cudaError_t function_attributes(cudaFuncAttributes* attributes, const KernelAttributes& kernel);
cudaError_t set_function_attribute(cudaFuncAttribute attribute, int value);
cudaError_t active_blocks(int* blocks, const KernelAttributes& kernel, int block_size, std::size_t dynamic_shared_bytes);
/// The largest block up to `limit` (0: none) whose shared memory the device has, and how many of these keep the device busy;
/// dynamic_shared_bytes(of, threads) is the dynamic shared memory of a block.
cudaError_t potential_block_size(int* min_grid_size, int* block_size, const KernelAttributes& kernel, int limit,
                                 std::size_t (*dynamic_shared_bytes)(const void* of, int threads), const void* of);
PHPC_CUDA_END

template <class T>
KernelAttributes attributes_of(const T& kernel) {
  if constexpr (std::is_same_v<T, KernelAttributes>) {
    return kernel;
  } else {
    return {};
  }
}
}  // namespace phpc::cuda::detail

PHPC_CUDA_BEGIN

// --- device variables
// -----------------------------------------------------------------------------------------------------------
namespace phpc::cuda::detail {
/// Of a variable that may be volatile, or have an operator& of its own.
template <class T>
const void* address_of(const T& symbol) {
  return const_cast<const void*>(static_cast<const volatile void*>(&reinterpret_cast<const volatile char&>(symbol)));
}
}  // namespace phpc::cuda::detail

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return phpc::cuda::detail::copy_to_symbol(phpc::cuda::detail::address_of(symbol), sizeof(T), from, bytes, offset, kind, nullptr,
                                            true);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr) {
  return phpc::cuda::detail::copy_to_symbol(phpc::cuda::detail::address_of(symbol), sizeof(T), from, bytes, offset, kind, stream,
                                            false);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return phpc::cuda::detail::copy_from_symbol(to, phpc::cuda::detail::address_of(symbol), sizeof(T), bytes, offset, kind, nullptr,
                                              true);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr) {
  return phpc::cuda::detail::copy_from_symbol(to, phpc::cuda::detail::address_of(symbol), sizeof(T), bytes, offset, kind, stream,
                                              false);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return phpc::cuda::detail::symbol_address(pointer, phpc::cuda::detail::address_of(symbol), sizeof(T));
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& /*symbol*/) {
  *bytes = sizeof(T);
  return cudaSuccess;
}

// --- functions: the kernel is taken as it is written, and only its configuration is answered for
// --------------------------------
template <class T>
cudaError_t cudaFuncSetAttribute(T /*kernel*/, cudaFuncAttribute attribute, int value) {
  return phpc::cuda::detail::set_function_attribute(attribute, value);
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T /*kernel*/, cudaFuncCache /*config*/) {
  return cudaSuccess;
}
template <class T>
cudaError_t cudaFuncSetSharedMemConfig(T /*kernel*/, cudaSharedMemConfig /*config*/) {
  return cudaSuccess;
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T kernel) {
  return phpc::cuda::detail::function_attributes(attributes, phpc::cuda::detail::attributes_of(kernel));
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel, int block_size,
                                                          std::size_t dynamic_shared_bytes) {
  return phpc::cuda::detail::active_blocks(blocks, phpc::cuda::detail::attributes_of(kernel), block_size, dynamic_shared_bytes);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel, int block_size,
                                                                   std::size_t dynamic_shared_bytes, unsigned int /*flags*/) {
  return phpc::cuda::detail::active_blocks(blocks, phpc::cuda::detail::attributes_of(kernel), block_size, dynamic_shared_bytes);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, T kernel,
                                               std::size_t dynamic_shared_bytes = 0, int block_size_limit = 0) {
  return phpc::cuda::detail::potential_block_size(
      min_grid_size, block_size, phpc::cuda::detail::attributes_of(kernel), block_size_limit,
      [](const void* bytes, int /*threads*/) { return *static_cast<const std::size_t*>(bytes); }, &dynamic_shared_bytes);
}
template <class Bytes, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size, int* block_size, T kernel, Bytes shared_bytes_of,
                                                           int block_size_limit = 0) {
  return phpc::cuda::detail::potential_block_size(
      min_grid_size, block_size, phpc::cuda::detail::attributes_of(kernel), block_size_limit,
      [](const void* of, int threads) { return static_cast<std::size_t>((*static_cast<const Bytes*>(of))(threads)); },
      &shared_bytes_of);
}

#if defined(PHPC_CUDA_PARSING)
// What a launch is made of before it is translated. The compiler asks for the first two.
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr);
template <class T>
cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes = 0,
                             cudaStream_t stream = nullptr);
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments);
template <class T>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, T* kernel, void** arguments);
__attribute__((annotate("phpc refuses a cooperative launch (grid-wide synchronisation)"))) cudaError_t
cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes = 0,
                            cudaStream_t stream = nullptr);
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr);
#else
/// Launches a kernel, of which its launcher is given, with arguments that lie where `arguments` point to.
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(phpc::cuda::Grid, Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  [&]<std::size_t... index>(std::index_sequence<index...>) {
    kernel(phpc::cuda::Grid(grid, block, shared_bytes, stream), *static_cast<Parameters*>(arguments[index])...);
  }(std::index_sequence_for<Parameters...>());
  return cudaPeekAtLastError();
}
/// Launches a kernel, of which its launcher is given; its attributes are hints.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(phpc::cuda::Grid, Parameters...),
                               Arguments&&... arguments) {
  kernel(phpc::cuda::Grid(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream),
         std::forward<Arguments>(arguments)...);
  return cudaPeekAtLastError();
}
template <class... Parameters>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, void (*kernel)(phpc::cuda::Grid, Parameters...),
                                void** arguments) {
  return cudaLaunchKernel(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream);
}
#endif

PHPC_CUDA_END
// NOLINTEND(readability-identifier-naming)
