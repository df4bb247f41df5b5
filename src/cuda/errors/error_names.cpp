// Names and texts of the error codes. The texts of codes that this library answers with or that programs print often are CUDA's;
// of the others, which are there so that programs which name them compile, they are our own.
#include <algorithm>
#include <iterator>

#include "phpc/cuda/runtime_api.hpp"

namespace {

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;
};

// Sorted by code.
constexpr ErrorText texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorCudartUnloading, "cudaErrorCudartUnloading", "driver shutting down"},
    {cudaErrorProfilerDisabled, "cudaErrorProfilerDisabled", "the profiler is disabled"},
    {cudaErrorProfilerNotInitialized, "cudaErrorProfilerNotInitialized", "the profiler is not initialized"},
    {cudaErrorProfilerAlreadyStarted, "cudaErrorProfilerAlreadyStarted", "the profiler runs already"},
    {cudaErrorProfilerAlreadyStopped, "cudaErrorProfilerAlreadyStopped", "the profiler is stopped already"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidHostPointer, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidTexture, "cudaErrorInvalidTexture", "invalid texture"},
    {cudaErrorInvalidTextureBinding, "cudaErrorInvalidTextureBinding", "the texture is not bound"},
    {cudaErrorInvalidChannelDescriptor, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorAddressOfConstant, "cudaErrorAddressOfConstant", "the address of a constant"},
    {cudaErrorTextureFetchFailed, "cudaErrorTextureFetchFailed", "a texture was not read"},
    {cudaErrorTextureNotBound, "cudaErrorTextureNotBound", "the texture is not bound"},
    {cudaErrorSynchronizationError, "cudaErrorSynchronizationError", "the wait failed"},
    {cudaErrorInvalidFilterSetting, "cudaErrorInvalidFilterSetting", "the texture cannot be filtered so"},
    {cudaErrorInvalidNormSetting, "cudaErrorInvalidNormSetting", "the texture cannot be read as normalized floats"},
    {cudaErrorMixedDeviceExecution, "cudaErrorMixedDeviceExecution", "device and emulation are mixed"},
    {cudaErrorNotYetImplemented, "cudaErrorNotYetImplemented", "feature not yet implemented"},
    {cudaErrorMemoryValueTooLarge, "cudaErrorMemoryValueTooLarge", "the memory is larger than an address reaches"},
    {cudaErrorStubLibrary, "cudaErrorStubLibrary", "the driver library is a stub"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorCallRequiresNewerDriver, "cudaErrorCallRequiresNewerDriver", "the driver is too old for this call"},
    {cudaErrorInvalidSurface, "cudaErrorInvalidSurface", "invalid surface"},
    {cudaErrorDuplicateVariableName, "cudaErrorDuplicateVariableName", "two variables of one name"},
    {cudaErrorDuplicateTextureName, "cudaErrorDuplicateTextureName", "two textures of one name"},
    {cudaErrorDuplicateSurfaceName, "cudaErrorDuplicateSurfaceName", "two surfaces of one name"},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable"},
    {cudaErrorIncompatibleDriverContext, "cudaErrorIncompatibleDriverContext", "the driver's context does not fit"},
    {cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration", "the kernel call has no configuration"},
    {cudaErrorPriorLaunchFailure, "cudaErrorPriorLaunchFailure", "an earlier launch failed"},
    {cudaErrorLaunchMaxDepthExceeded, "cudaErrorLaunchMaxDepthExceeded", "launches from kernels are nested too deeply"},
    {cudaErrorLaunchFileScopedTex, "cudaErrorLaunchFileScopedTex", "a launch from a kernel uses a texture of file scope"},
    {cudaErrorLaunchFileScopedSurf, "cudaErrorLaunchFileScopedSurf", "a launch from a kernel uses a surface of file scope"},
    {cudaErrorSyncDepthExceeded, "cudaErrorSyncDepthExceeded", "waits in kernels are nested too deeply"},
    {cudaErrorLaunchPendingCountExceeded, "cudaErrorLaunchPendingCountExceeded", "too many launches from kernels wait"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorDeviceNotLicensed, "cudaErrorDeviceNotLicensed", "the device has no licence for this"},
    {cudaErrorSoftwareValidityNotEstablished, "cudaErrorSoftwareValidityNotEstablished",
     "the integrity of the software is not established"},
    {cudaErrorStartupFailure, "cudaErrorStartupFailure", "the run-time library failed to start"},
    {cudaErrorInvalidKernelImage, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    {cudaErrorDeviceUninitialized, "cudaErrorDeviceUninitialized", "invalid device context"},
    {cudaErrorMapBufferObjectFailed, "cudaErrorMapBufferObjectFailed", "the resource was not mapped"},
    {cudaErrorUnmapBufferObjectFailed, "cudaErrorUnmapBufferObjectFailed", "the resource was not unmapped"},
    {cudaErrorArrayIsMapped, "cudaErrorArrayIsMapped", "the array is mapped"},
    {cudaErrorAlreadyMapped, "cudaErrorAlreadyMapped", "the resource is mapped already"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorAlreadyAcquired, "cudaErrorAlreadyAcquired", "the resource is acquired already"},
    {cudaErrorNotMapped, "cudaErrorNotMapped", "the resource is not mapped"},
    {cudaErrorNotMappedAsArray, "cudaErrorNotMappedAsArray", "the resource is not mapped as an array"},
    {cudaErrorNotMappedAsPointer, "cudaErrorNotMappedAsPointer", "the resource is not mapped as a pointer"},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "memory error that ECC could not correct"},
    {cudaErrorUnsupportedLimit, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    {cudaErrorDeviceAlreadyInUse, "cudaErrorDeviceAlreadyInUse", "another thread uses the device exclusively"},
    {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported", "peer access is not supported between these two devices"},
    {cudaErrorInvalidPtx, "cudaErrorInvalidPtx", "the PTX could not be compiled"},
    {cudaErrorInvalidGraphicsContext, "cudaErrorInvalidGraphicsContext", "invalid graphics context"},
    {cudaErrorNvlinkUncorrectable, "cudaErrorNvlinkUncorrectable", "an uncorrectable error of NVLink"},
    {cudaErrorJitCompilerNotFound, "cudaErrorJitCompilerNotFound", "no compiler for PTX was found"},
    {cudaErrorUnsupportedPtxVersion, "cudaErrorUnsupportedPtxVersion", "the PTX is of an unsupported version"},
    {cudaErrorJitCompilationDisabled, "cudaErrorJitCompilationDisabled", "compilation of PTX is disabled"},
    {cudaErrorUnsupportedExecAffinity, "cudaErrorUnsupportedExecAffinity", "the affinity is not supported"},
    {cudaErrorUnsupportedDevSideSync, "cudaErrorUnsupportedDevSideSync", "waits in kernels are not supported"},
    {cudaErrorContained, "cudaErrorContained", "an error of the device was contained"},
    {cudaErrorInvalidSource, "cudaErrorInvalidSource", "the kernel's source is invalid"},
    {cudaErrorFileNotFound, "cudaErrorFileNotFound", "file not found"},
    {cudaErrorSharedObjectSymbolNotFound, "cudaErrorSharedObjectSymbolNotFound", "symbol of a shared object not found"},
    {cudaErrorSharedObjectInitFailed, "cudaErrorSharedObjectInitFailed", "a shared object failed to start"},
    {cudaErrorOperatingSystem, "cudaErrorOperatingSystem", "a call of the operating system failed"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalState, "cudaErrorIllegalState", "not possible in the present state"},
    {cudaErrorLossyQuery, "cudaErrorLossyQuery", "the answer would lose a part"},
    {cudaErrorSymbolNotFound, "cudaErrorSymbolNotFound", "no symbol of that name"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorLaunchIncompatibleTexturing, "cudaErrorLaunchIncompatibleTexturing", "the texture is not of the kernel's mode"},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    {cudaErrorSetOnActiveProcess, "cudaErrorSetOnActiveProcess", "cannot be set once the device is in use"},
    {cudaErrorContextIsDestroyed, "cudaErrorContextIsDestroyed", "the context is destroyed"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorTooManyPeers, "cudaErrorTooManyPeers", "too many peers"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorHardwareStackError, "cudaErrorHardwareStackError", "a kernel's stack is broken"},
    {cudaErrorIllegalInstruction, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorInvalidAddressSpace, "cudaErrorInvalidAddressSpace", "the address is in the wrong space"},
    {cudaErrorInvalidPc, "cudaErrorInvalidPc", "a kernel jumped to an invalid address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {cudaErrorTensorMemoryLeak, "cudaErrorTensorMemoryLeak", "memory of tensor cores was not freed"},
    {cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorSystemNotReady, "cudaErrorSystemNotReady", "the system is not ready"},
    {cudaErrorSystemDriverMismatch, "cudaErrorSystemDriverMismatch", "the drivers' versions do not fit together"},
    {cudaErrorCompatNotSupportedOnDevice, "cudaErrorCompatNotSupportedOnDevice", "the device has no forward compatibility"},
    {cudaErrorMpsConnectionFailed, "cudaErrorMpsConnectionFailed", "no connection to the MPS server"},
    {cudaErrorMpsRpcFailure, "cudaErrorMpsRpcFailure", "a call of the MPS server failed"},
    {cudaErrorMpsServerNotReady, "cudaErrorMpsServerNotReady", "the MPS server is not ready"},
    {cudaErrorMpsMaxClientsReached, "cudaErrorMpsMaxClientsReached", "the MPS server has all the clients that it takes"},
    {cudaErrorMpsMaxConnectionsReached, "cudaErrorMpsMaxConnectionsReached",
     "the MPS server has all the connections that it takes"},
    {cudaErrorMpsClientTerminated, "cudaErrorMpsClientTerminated", "the MPS server ended this client"},
    {cudaErrorCdpNotSupported, "cudaErrorCdpNotSupported", "launches from kernels are not supported"},
    {cudaErrorCdpVersionMismatch, "cudaErrorCdpVersionMismatch", "launches from kernels of another version"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated", "an earlier error ended the capture"},
    {cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge", "two captures cannot become one"},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched", "the capture began in another stream"},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "the capture has work in a stream that was not joined"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation", "the capture would depend on work outside of it"},
    {cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit", "the legacy stream would depend on a capture"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent", "the event was last recorded in a capture"},
    {cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread", "another thread began the capture"},
    {cudaErrorTimeout, "cudaErrorTimeout", "the wait timed out"},
    {cudaErrorGraphExecUpdateFailure, "cudaErrorGraphExecUpdateFailure", "the graph cannot be updated so"},
    {cudaErrorExternalDevice, "cudaErrorExternalDevice", "an error of another device"},
    {cudaErrorInvalidClusterSize, "cudaErrorInvalidClusterSize", "invalid size of a cluster"},
    {cudaErrorFunctionNotLoaded, "cudaErrorFunctionNotLoaded", "the function is not loaded"},
    {cudaErrorInvalidResourceType, "cudaErrorInvalidResourceType", "invalid type of a resource"},
    {cudaErrorInvalidResourceConfiguration, "cudaErrorInvalidResourceConfiguration", "invalid configuration of a resource"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

const ErrorText* find(cudaError_t code) {
  const ErrorText* const found = std::lower_bound(std::begin(texts), std::end(texts), code,
                                                  [](const ErrorText& one, cudaError_t wanted) { return one.code < wanted; });
  return found != std::end(texts) && found->code == code ? found : nullptr;
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* const found = find(error);
  return found != nullptr ? found->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* const found = find(error);
  return found != nullptr ? found->text : "unrecognized error code";
}
