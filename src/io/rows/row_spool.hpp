#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "phpc/io/output_file.hpp"

namespace phpc::io {

/// Text that waits for what must stand before it: in memory up to 16 MiB, beyond that in a file without a name (under $TMPDIR or
/// /tmp), which is gone with the program however that ends.
class RowSpool {
 public:
  RowSpool() = default;
  ~RowSpool();
  RowSpool(const RowSpool&) = delete;
  RowSpool& operator=(const RowSpool&) = delete;

  /// Throws Error(io).
  void write(std::string_view text);
  /// Everything written, in order. To be called once, at the end. Throws Error(io).
  void copy_to(OutputFile& out);

 private:
  void spill();

  std::string pending_;
  int descriptor_ = -1;
};

}  // namespace phpc::io
