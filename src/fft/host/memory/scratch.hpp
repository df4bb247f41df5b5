#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "phpc/exec/buffer.hpp"

namespace phpc::fft {

/// Work memory that outlives a call, since fresh pages take longer than a transform. Each call leases an array of its own and
/// gives it back.
class HostScratch {
  using Bytes = exec::Buffer<std::byte>;

 public:
  class Lease {
   public:
    Lease(HostScratch& owner, Bytes bytes) : owner_(owner), bytes_(std::move(bytes)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      const std::lock_guard lock(owner_.mutex_);
      owner_.free_.push_back(std::move(bytes_));
    }
    /// The array, from the first whole page on.
    [[nodiscard]] std::byte* data() {
      const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
      return bytes_.data() + (page - address % page) % page;
    }

   private:
    HostScratch& owner_;
    Bytes bytes_;
  };

  /// Throws Error(memory).
  [[nodiscard]] Lease take(std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      while (!free_.empty()) {
        Bytes last = std::move(free_.back());
        free_.pop_back();
        if (static_cast<std::size_t>(last.size()) >= bytes + page) {
          return Lease(*this, std::move(last));
        }
      }
      free_.reserve(++leases_);  // so that giving back cannot fail
    }
    return Lease(*this, Bytes(exec::Device::host(), static_cast<index_t>(bytes + page)));
  }

 private:
  static constexpr std::size_t page = 4096;
  std::mutex mutex_;
  std::vector<Bytes> free_;
  std::size_t leases_ = 0;
};

}  // namespace phpc::fft
