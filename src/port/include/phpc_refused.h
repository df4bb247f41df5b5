#pragma once
// What the translator knows of and refuses: declared so that the source parses and the message names it.
#include "phpc/cuda/detail/header_begin.inc"
#define PHPC_REFUSES(what) __attribute__((annotate("phpc refuses " what)))

enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone };
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc();
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind);
template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct PHPC_REFUSES("a texture") texture {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
template <class T, int type = cudaTextureType1D>
struct PHPC_REFUSES("a surface") surface {};
struct PHPC_REFUSES("a texture") cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
struct PHPC_REFUSES("a texture") cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
};
PHPC_REFUSES("a texture") typedef unsigned long long cudaTextureObject_t;
PHPC_REFUSES("a surface") typedef unsigned long long cudaSurfaceObject_t;
#define PHPC_TEXTURE(name)                       \
  template <class... A>                          \
  PHPC_REFUSES("a texture")                      \
  __attribute__((device, host)) int name(A...);
PHPC_REFUSES("a texture") cudaError_t cudaCreateTextureObject(unsigned long long*, const cudaResourceDesc*, const cudaTextureDesc*, const void*);
PHPC_REFUSES("a texture") cudaError_t cudaDestroyTextureObject(unsigned long long);
PHPC_REFUSES("a surface") cudaError_t cudaCreateSurfaceObject(unsigned long long*, const cudaResourceDesc*);
PHPC_REFUSES("a surface") cudaError_t cudaDestroySurfaceObject(unsigned long long);
template <class... A>
PHPC_REFUSES("a texture")
cudaError_t cudaBindTexture(A&&...);
template <class... A>
PHPC_REFUSES("a texture")
cudaError_t cudaBindTexture2D(A&&...);
template <class... A>
PHPC_REFUSES("a texture")
cudaError_t cudaBindTextureToArray(A&&...);
template <class... A>
PHPC_REFUSES("a texture")
cudaError_t cudaUnbindTexture(A&&...);
template <class... A>
PHPC_REFUSES("a texture array")
cudaError_t cudaMallocArray(A&&...);
template <class... A>
PHPC_REFUSES("a texture array")
cudaError_t cudaMalloc3DArray(A&&...);
template <class... A>
PHPC_REFUSES("a texture array")
cudaError_t cudaFreeArray(A&&...);
template <class... A>
PHPC_REFUSES("a texture array")
cudaError_t cudaMemcpyToArray(A&&...);
template <class... A>
PHPC_REFUSES("a texture array")
cudaError_t cudaMemcpy2DToArray(A&&...);
template <class T, class... A>
PHPC_REFUSES("a texture")
__attribute__((device)) T tex1Dfetch(A...);
template <class T, class... A>
PHPC_REFUSES("a texture")
__attribute__((device)) T tex1D(A...);
template <class T, class... A>
PHPC_REFUSES("a texture")
__attribute__((device)) T tex2D(A...);
template <class T, class... A>
PHPC_REFUSES("a texture")
__attribute__((device)) T tex3D(A...);
template <class T, int type, cudaTextureReadMode mode, class... A>
PHPC_REFUSES("a texture")
__attribute__((device)) T tex1Dfetch(texture<T, type, mode>, A...);
template <class T, int type, cudaTextureReadMode mode, class... A>
PHPC_REFUSES("a texture")
__attribute__((device)) T tex1D(texture<T, type, mode>, A...);
template <class T, int type, cudaTextureReadMode mode, class... A>
PHPC_REFUSES("a texture")
__attribute__((device)) T tex2D(texture<T, type, mode>, A...);
template <class T, int type, cudaTextureReadMode mode, class... A>
PHPC_REFUSES("a texture")
__attribute__((device)) T tex3D(texture<T, type, mode>, A...);
template <class T, class... A>
PHPC_REFUSES("a surface")
__attribute__((device)) T surf2Dread(A...);
template <class T, class... A>
PHPC_REFUSES("a surface")
__attribute__((device)) void surf2Dwrite(T, A...);

template <class T, class... A>
PHPC_REFUSES("a cooperative launch (grid-wide synchronisation)")
cudaError_t cudaLaunchCooperativeKernel(T*, A&&...);
template <class... A>
PHPC_REFUSES("grid-wide synchronisation")
__attribute__((device)) void cudaGridDependencySynchronize(A...);

namespace nvcuda::wmma {
struct PHPC_REFUSES("tensor cores (wmma)") row_major {};
struct PHPC_REFUSES("tensor cores (wmma)") col_major {};
struct PHPC_REFUSES("tensor cores (wmma)") matrix_a {};
struct PHPC_REFUSES("tensor cores (wmma)") matrix_b {};
struct PHPC_REFUSES("tensor cores (wmma)") accumulator {};
template <class...>
struct PHPC_REFUSES("tensor cores (wmma)") fragment {};
}  // namespace nvcuda::wmma
#include "phpc/cuda/detail/header_end.inc"
