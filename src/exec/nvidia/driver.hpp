#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

/// NVIDIA's driver API, loaded at run time. The types and constants are those of cuda.h, which is not needed to build.
namespace phpc::exec::nvidia {

using Status = int;
using Ordinal = int;
using Context = struct OpaqueContext*;
using Module = struct OpaqueModule*;
using Function = struct OpaqueFunction*;
using Stream = struct OpaqueStream*;
using Event = struct OpaqueEvent*;
using DevicePointer = std::uint64_t;
inline constexpr Status success = 0;

/// The driver's functions.
struct Driver {
  /// The driver; `count` is 0 where there is none.
  static const Driver& get();

  int count = 0;  ///< devices
  Status (*device_get)(Ordinal*, int) = nullptr;
  Status (*device_name)(char*, int, Ordinal) = nullptr;
  Status (*device_memory)(std::size_t*, Ordinal) = nullptr;
  Status (*device_attribute)(int*, int, Ordinal) = nullptr;
  Status (*set_flags)(Ordinal, unsigned) = nullptr;
  Status (*retain)(Context*, Ordinal) = nullptr;
  Status (*push)(Context) = nullptr;
  Status (*pop)(Context*) = nullptr;
  Status (*memory_info)(std::size_t*, std::size_t*) = nullptr;
  Status (*pointer_attribute)(void*, int, DevicePointer) = nullptr;
  Status (*module_load)(Module*, const void*) = nullptr;
  Status (*module_function)(Function*, Module, const char*) = nullptr;
  Status (*module_global)(DevicePointer*, std::size_t*, Module, const char*) = nullptr;
  Status (*function_set_attribute)(Function, int, int) = nullptr;
  Status (*function_attribute)(int*, int, Function) = nullptr;
  Status (*stream_create)(Stream*, unsigned) = nullptr;
  Status (*stream_wait)(Stream) = nullptr;
  Status (*event_create)(Event*, unsigned) = nullptr;
  Status (*event_record)(Event, Stream) = nullptr;
  Status (*event_query)(Event) = nullptr;
  Status (*event_wait)(Event) = nullptr;
  Status (*event_elapsed)(float*, Event, Event) = nullptr;
  Status (*copy_in)(DevicePointer, const void*, std::size_t) = nullptr;
  Status (*copy_out)(void*, DevicePointer, std::size_t) = nullptr;
  Status (*copy_in_stream)(DevicePointer, const void*, std::size_t, Stream) = nullptr;
  Status (*copy_out_stream)(void*, DevicePointer, std::size_t, Stream) = nullptr;
  Status (*copy_within_stream)(DevicePointer, DevicePointer, std::size_t, Stream) = nullptr;
  Status (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void**,
                   void**) = nullptr;
  Status (*error_name)(Status, const char**) = nullptr;
  Status (*error_text)(Status, const char**) = nullptr;

 private:
  Driver();
};

/// A status in words: "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)".
std::string described(Status status);

/// A scope in which a context is the calling thread's; what was before comes back at its end.
class InContext {
 public:
  explicit InContext(Context context) : is_in_(Driver::get().push(context) == success) {}
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;
  ~InContext() {
    Context before = nullptr;
    if (is_in_) {
      Driver::get().pop(&before);
    }
  }

 private:
  bool is_in_;
};

}  // namespace phpc::exec::nvidia
