#pragma once
#include <cstddef>

#include "phpc/cuda/detail/device_types.hpp"
#include "phpc/cuda/detail/error_codes.hpp"
#include "phpc/cuda/vector_types.hpp"
#include "phpc/cuda/words.hpp"

// NOLINTBEGIN(readability-identifier-naming): CUDA's names.
PHPC_CUDA_BEGIN

// Handles point to what only the library knows.
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
typedef struct cudaArray* cudaArray_t;
typedef const struct cudaArray* cudaArray_const_t;
typedef struct CUfunc_st* cudaFunction_t;

typedef void (*cudaHostFn_t)(void* user_data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* user_data);

/// The default stream by name, and the calling host thread's own one.
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(0x1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(0x2))

inline constexpr unsigned int cudaStreamDefault = 0x00;
inline constexpr unsigned int cudaStreamNonBlocking = 0x01;

inline constexpr unsigned int cudaEventDefault = 0x00;
inline constexpr unsigned int cudaEventBlockingSync = 0x01;
inline constexpr unsigned int cudaEventDisableTiming = 0x02;
inline constexpr unsigned int cudaEventInterprocess = 0x04;
inline constexpr unsigned int cudaEventRecordDefault = 0x00;
inline constexpr unsigned int cudaEventRecordExternal = 0x01;
inline constexpr unsigned int cudaEventWaitDefault = 0x00;
inline constexpr unsigned int cudaEventWaitExternal = 0x01;

inline constexpr unsigned int cudaHostAllocDefault = 0x00;
inline constexpr unsigned int cudaHostAllocPortable = 0x01;
inline constexpr unsigned int cudaHostAllocMapped = 0x02;
inline constexpr unsigned int cudaHostAllocWriteCombined = 0x04;

inline constexpr unsigned int cudaHostRegisterDefault = 0x00;
inline constexpr unsigned int cudaHostRegisterPortable = 0x01;
inline constexpr unsigned int cudaHostRegisterMapped = 0x02;
inline constexpr unsigned int cudaHostRegisterIoMemory = 0x04;
inline constexpr unsigned int cudaHostRegisterReadOnly = 0x08;

inline constexpr unsigned int cudaMemAttachGlobal = 0x01;
inline constexpr unsigned int cudaMemAttachHost = 0x02;
inline constexpr unsigned int cudaMemAttachSingle = 0x04;

inline constexpr unsigned int cudaPeerAccessDefault = 0x00;
inline constexpr unsigned int cudaOccupancyDefault = 0x00;
inline constexpr unsigned int cudaOccupancyDisableCachingOverride = 0x01;

inline constexpr unsigned int cudaDeviceScheduleAuto = 0x00;
inline constexpr unsigned int cudaDeviceScheduleSpin = 0x01;
inline constexpr unsigned int cudaDeviceScheduleYield = 0x02;
inline constexpr unsigned int cudaDeviceScheduleBlockingSync = 0x04;
inline constexpr unsigned int cudaDeviceBlockingSync = 0x04;
inline constexpr unsigned int cudaDeviceScheduleMask = 0x07;
inline constexpr unsigned int cudaDeviceMapHost = 0x08;
inline constexpr unsigned int cudaDeviceLmemResizeToMax = 0x10;

/// In place of a device's number: the host, no device.
inline constexpr int cudaCpuDeviceId = -1;
inline constexpr int cudaInvalidDeviceId = -2;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4  ///< each pointer itself says where it points
};

enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
};

struct cudaPointerAttributes {
  enum cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeMax
};

struct cudaFuncAttributes {
  std::size_t sharedSizeBytes;
  std::size_t constSizeBytes;
  std::size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
};

/// What cudaLaunchKernelEx may be told beside the configuration. These are hints here; the others are refused by the translator.
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributePriority = 8,
#if defined(PHPC_CUDA_PARSING)
  cudaLaunchAttributeCooperative __attribute__((annotate("phpc refuses a cooperative launch (grid-wide synchronisation)"))) = 2,
  cudaLaunchAttributeClusterDimension __attribute__((annotate("phpc refuses a cluster of blocks"))) = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference __attribute__((annotate("phpc refuses a cluster of blocks"))) = 5,
#endif
};

union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  int programmaticStreamSerializationAllowed;
  int priority;
  struct {
    unsigned int x, y, z;
  } clusterDim;
};

struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};

struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
};

enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};

enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};

enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxShared = 100,
  cudaSharedmemCarveoutMaxL1 = 0
};

enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4,
  cudaLimitMaxL2FetchGranularity = 5,
  cudaLimitPersistingL2CacheSize = 6
};

enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemLocationType {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2,
  cudaMemLocationTypeHostNuma = 3,
  cudaMemLocationTypeHostNumaCurrent = 4
};

struct cudaMemLocation {
  enum cudaMemLocationType type;
  int id;
};

enum cudaMemAllocationType {
  cudaMemAllocationTypeInvalid = 0,
  cudaMemAllocationTypePinned = 1,
  cudaMemAllocationTypeManaged = 2
};

enum cudaMemAllocationHandleType { cudaMemHandleTypeNone = 0, cudaMemHandleTypePosixFileDescriptor = 1 };

struct cudaMemPoolProps {
  enum cudaMemAllocationType allocType;
  enum cudaMemAllocationHandleType handleTypes;
  struct cudaMemLocation location;
  void* win32SecurityAttributes;
  std::size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};

enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4,
  cudaMemPoolAttrReservedMemCurrent = 5,
  cudaMemPoolAttrReservedMemHigh = 6,
  cudaMemPoolAttrUsedMemCurrent = 7,
  cudaMemPoolAttrUsedMemHigh = 8
};

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};

enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
};

/// A box of memory: its width in bytes where memory is plain, in elements where it is an array.
struct cudaExtent {
  std::size_t width;
  std::size_t height;
  std::size_t depth;
};

/// A place in such a box; x in bytes.
struct cudaPos {
  std::size_t x;
  std::size_t y;
  std::size_t z;
};

/// Rows of `xsize` bytes that begin every `pitch` bytes, `ysize` of them a slice.
struct cudaPitchedPtr {
  void* ptr;
  std::size_t pitch;
  std::size_t xsize;
  std::size_t ysize;
};

struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  struct cudaPos srcPos;
  struct cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  struct cudaPos dstPos;
  struct cudaPitchedPtr dstPtr;
  struct cudaExtent extent;
  enum cudaMemcpyKind kind;
};

struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  struct cudaPos srcPos;
  struct cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  struct cudaPos dstPos;
  struct cudaPitchedPtr dstPtr;
  int dstDevice;
  struct cudaExtent extent;
};

inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
  return {width, height, depth};
}

inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) {
  return {x, y, z};
}

inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t width, std::size_t height) {
  return {pointer, pitch, width, height};
}

PHPC_CUDA_END
// NOLINTEND(readability-identifier-naming)
