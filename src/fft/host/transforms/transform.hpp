#pragma once
#include <cstdint>
#include <vector>

#include "fft/host/packs/pack.hpp"
#include "fft/host/transforms/radices.hpp"

namespace phpc::fft {

/// Rows of memory, of which row i holds element i of `lanes` transforms, interleaved, at first + i * stride. Where `swapped`, the
/// imaginary part comes first: a forward transform that is swapped on both sides is the inverse one.
template <class Real>
struct InterleavedRows {
  Real* first;
  index_t stride;  ///< real numbers from one element to the next
  bool swapped = false;
  Stores stores = Stores::cached;
};

/// Transforms of a smooth length, one in each lane: stages by radix, decimation in frequency, in place but for the last one,
/// which puts the elements into natural order (Cooley and Tukey, 1965, in Gentleman and Sande's form).
template <class Real>
class HostTransform {
 public:
  using Value = PackValue<Real>;

  explicit HostTransform(index_t length);

  [[nodiscard]] index_t length() const { return length_; }
  [[nodiscard]] std::size_t table_bytes() const;

  /// `work` holds length() values, and may be `from`; `to` is neither.
  void run(const Value* from, Value* to, Value* work) const;
  void run(const Value* from, const InterleavedRows<Real>& to, Value* work) const;

  /// Transforms into `work`, where frequency k is at place()[k]: this takes half the memory, and so up to twice the length fits a
  /// cache.
  void run(const InterleavedRows<const Real>& from, Value* work) const;
  void run(Value* values) const;
  [[nodiscard]] const std::int32_t* place() const { return place_.data(); }

 private:
  struct Stage {
    int radix;
    index_t span;  ///< from one input of a butterfly to the next
    std::size_t twiddles;
  };

  template <class Load>
  void first_stage(const Load& load, Value* to) const;
  void middle_stages(Value* values) const;
  template <class Store>
  void last_stage(const Value* from, const Store& store) const;
  void last_stage_in_place(Value* values) const;
  template <class Load, class Store>
  void only_stage(const Load& load, const Store& store) const;

  index_t length_;
  std::vector<Stage> stages_;
  std::vector<Complex<Real>> twiddles_;  ///< of all stages but the last: radix - 1 for each butterfly of a group
  std::vector<index_t> order_;           ///< where the first output of each butterfly of the last stage goes
  std::vector<std::int32_t> place_;
};

}  // namespace phpc::fft
