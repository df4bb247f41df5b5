#include "exec/images/registered_images.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#if PHPC_WITH_OFFLOAD

namespace phpc::exec {

namespace {

/// The records that clang's code registers (clang 19: openmp/libomptarget/include/Shared/APITypes.h; later ones have other
/// entries).
struct OffloadEntry {
  void* address;
  char* name;
  std::size_t bytes;
  std::int32_t flags;
  std::int32_t reserved;
};

struct DeviceImage {
  const unsigned char* begin;
  const unsigned char* end;
  OffloadEntry* entries_begin;
  OffloadEntry* entries_end;
};

struct Descriptor {
  std::int32_t images;
  DeviceImage* image;
  OffloadEntry* entries_begin;
  OffloadEntry* entries_end;
};

template <class T>
T read(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// The ELF file in an image, which may be one of LLVM's offload binaries.
const unsigned char* elf_in(const DeviceImage& image) {
  static constexpr unsigned char binary_magic[] = {0x10, 0xff, 0x10, 0xad};
  static constexpr unsigned char elf_magic[] = {0x7f, 'E', 'L', 'F'};
  const unsigned char* begin = image.begin;
  const auto bytes = static_cast<std::size_t>(image.end - begin);
  constexpr std::size_t header_bytes = 64;
  if (bytes > header_bytes && std::memcmp(begin, binary_magic, sizeof binary_magic) == 0) {
    const auto entry = read<std::uint64_t>(begin + 16);
    if (entry + 48 > bytes) {
      return nullptr;
    }
    const auto offset = read<std::uint64_t>(begin + entry + 24);
    if (offset + header_bytes > bytes) {
      return nullptr;
    }
    begin += offset;
  }
  return bytes > header_bytes && std::memcmp(begin, elf_magic, sizeof elf_magic) == 0 ? begin : nullptr;
}

constexpr std::uint16_t machine_cuda = 190;

bool is_nvidia(const unsigned char* elf) {
  return read<std::uint16_t>(elf + 18) == machine_cuda;
}

/// The architecture of an image, 90 for sm_90. CUDA 13's files have it in other bits (ELF's ABI version 8).
int architecture_of(const unsigned char* elf) {
  constexpr unsigned char newer_abi = 8;
  const auto flags = read<std::uint32_t>(elf + 48);
  return static_cast<int>(elf[8] >= newer_abi ? flags >> 8 & 0xff : flags & 0xff);
}

/// The NVIDIA images of one library.
struct ImageLibrary {
  const Descriptor* key;
  std::vector<const void*> images;
};

class Registry {
 public:
  static Registry& get() {
    static Registry& registry = *new Registry;  // libraries that end later than this one use it
    return registry;
  }

  void add(const Descriptor& descriptor) {
    ImageLibrary library{.key = &descriptor, .images = {}};
    for (std::int32_t i = 0; i < descriptor.images; ++i) {
      const unsigned char* const elf = elf_in(descriptor.image[i]);
      if (elf != nullptr && is_nvidia(elf)) {
        library.images.push_back(elf);
      }
    }
    if (library.images.empty()) {
      return;
    }
    const std::unique_lock lock(mutex_);
    const int number = static_cast<int>(libraries_.size());
    for (const OffloadEntry* entry = descriptor.entries_begin; entry != descriptor.entries_end; ++entry) {
      if (entry->address != nullptr && entry->name != nullptr) {
        entries_[entry->address] = {number, entry->name};
      }
    }
    libraries_.push_back(std::move(library));
  }

  void remove(const Descriptor& descriptor) {
    const std::unique_lock lock(mutex_);
    for (std::size_t i = 0; i < libraries_.size(); ++i) {
      if (libraries_[i].key == &descriptor) {
        libraries_[i].images.clear();
        std::erase_if(entries_, [&](const auto& entry) { return entry.second.library == static_cast<int>(i); });
      }
    }
  }

  FoundEntry find(const void* address) {
    const std::shared_lock lock(mutex_);
    const auto found = entries_.find(address);
    return found == entries_.end() ? FoundEntry{} : found->second;
  }

  int libraries() {
    const std::shared_lock lock(mutex_);
    return static_cast<int>(libraries_.size());
  }

  std::vector<const void*> images(int library) {
    const std::shared_lock lock(mutex_);
    return libraries_[static_cast<std::size_t>(library)].images;
  }

 private:
  std::shared_mutex mutex_;
  std::deque<ImageLibrary> libraries_;
  std::unordered_map<const void*, FoundEntry> entries_;
};

/// Whether the process is ending: its exit handlers run then, and those of libraries after them.
bool is_ending = false;

using Register = void (*)(Descriptor*);

Register libomptargets(const char* name) {
  return reinterpret_cast<Register>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void keep_images_to_the_end() {
  static const int status = std::atexit([] { is_ending = true; });
  static_cast<void>(status);
}

FoundEntry find_entry(const void* address) {
  return Registry::get().find(address);
}

int image_libraries() {
  return Registry::get().libraries();
}

std::vector<const void*> images_for(int library, int major, int minor) {
  std::vector<const void*> images = Registry::get().images(library);
  const auto architecture = [](const void* image) { return architecture_of(static_cast<const unsigned char*>(image)); };
  std::erase_if(images, [&](const void* image) { return architecture(image) / 10 != major || architecture(image) % 10 > minor; });
  std::sort(images.begin(), images.end(), [&](const void* a, const void* b) { return architecture(a) > architecture(b); });
  return images;
}

}  // namespace phpc::exec

extern "C" {

[[gnu::visibility("default")]] void __tgt_register_lib(phpc::exec::Descriptor* descriptor);
[[gnu::visibility("default")]] void __tgt_unregister_lib(phpc::exec::Descriptor* descriptor);

void __tgt_register_lib(phpc::exec::Descriptor* descriptor) {
#if defined(__clang_major__) && __clang_major__ <= 19
  phpc::exec::Registry::get().add(*descriptor);
#endif
  if (const phpc::exec::Register next = phpc::exec::libomptargets("__tgt_register_lib")) {
    next(descriptor);
  }
}

void __tgt_unregister_lib(phpc::exec::Descriptor* descriptor) {
  if (phpc::exec::is_ending) {
    return;
  }
  phpc::exec::Registry::get().remove(*descriptor);
  if (const phpc::exec::Register next = phpc::exec::libomptargets("__tgt_unregister_lib")) {
    next(descriptor);
  }
}
}

#endif
