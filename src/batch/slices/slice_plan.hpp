#pragma once
#include <optional>
#include <string>

#include "batch/slices/slice_job.hpp"
#include "phpc/batch/plan.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::batch {

/// A layout, and the scratch and registers of a team that uses it.
struct SliceChoice {
  SliceLayout layout;
  std::size_t scratch_bytes = 0;
  int registers = 0;  ///< most that a thread may have

  /// The choice in words, for Plan::describe().
  [[nodiscard]] std::string described() const;
};

/// The cheapest layout of systems of the pattern on devices of that kind, whose teams can have `all_scratch` bytes of scratch;
/// none where systems do not fit, no such kernel exists, or the options ask for a team size or for less scratch.
template <class T>
std::optional<SliceChoice> slice_choice(exec::DeviceKind kind, std::size_t all_scratch, const CsrPattern& pattern,
                                        const Options& options);

/// A SliceChoice with its tables on a device.
class SlicePlan {
 public:
  SlicePlan(exec::Device device, const SliceChoice& choice);

  [[nodiscard]] const SliceShape& shape() const { return shape_; }
  [[nodiscard]] std::size_t scratch_bytes() const { return scratch_bytes_; }
  [[nodiscard]] int registers() const { return registers_; }
  [[nodiscard]] const SliceTables& tables() const { return tables_; }

 private:
  SliceShape shape_;
  std::size_t scratch_bytes_;
  int registers_;
  SliceTables tables_;
  exec::Buffer<SlicePosition> positions_;
  exec::Buffer<std::uint32_t> register_columns_;
  exec::Buffer<std::int32_t> slices_;
  exec::Buffer<std::uint32_t> scratch_columns_;
  exec::Buffer<std::uint16_t> places_;
  exec::Buffer<std::uint16_t> columns_;
  exec::Buffer<std::uint16_t> pads_;
};

}  // namespace phpc::batch
