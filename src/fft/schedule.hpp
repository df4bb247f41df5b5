#pragma once
#include <vector>

#include "fft/pass.hpp"
#include "fft/pass_tables.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::fft {

/// Memory that a step reads or writes.
enum class Place { input, output, first_work, second_work };

template <class Real>
struct Step {
  Place from;
  Place to;
  BatchIndex batch_index;
  Pass<Real> pass;
};

/// What one transform is to be; lengths that do not factor take Bluestein's way.
struct TransformRequest {
  index_t length;
  index_t batch;  ///< for the choice of tile widths; others run too
  bool inverse;
  double scale;
};

/// The passes of a transform on a device with their tables. Immutable once built.
template <class Real>
class Schedule {
 public:
  /// Throws Error(memory) when the tables do not fit, Error(usage) for a length beyond what three passes can do.
  Schedule(exec::Device device, const TransformRequest& request);

  [[nodiscard]] index_t length() const { return length_; }
  /// Elements of work memory that each transform needs, twice when second_work is used.
  [[nodiscard]] index_t work_elements() const { return work_elements_; }
  [[nodiscard]] bool uses(Place place) const;
  [[nodiscard]] std::uint64_t table_bytes() const { return tables_.bytes(); }

  /// Runs all passes on `batch` transforms; pointers are of the device, work memory of batch * work_elements().
  void run(const Complex<Real>* in, Complex<Real>* out, index_t batch, Complex<Real>* first_work,
           Complex<Real>* second_work) const;

 private:
  struct Ends;
  void add_smooth(const Ends& ends, index_t n, const std::vector<index_t>& lengths, index_t batch);
  void add_plain(const TransformRequest& request);
  void add_bluestein(const TransformRequest& request);
  /// The same in one kernel of length `padded`, on a GPU.
  void add_fused_bluestein(const TransformRequest& request, index_t padded);
  [[nodiscard]] std::vector<Complex<double>> chirp(index_t n) const;
  [[nodiscard]] std::vector<Complex<double>> filter_spectrum(const std::vector<Complex<double>>& chirp, index_t padded) const;
  [[nodiscard]] int row_width(index_t length, index_t batch) const;
  [[nodiscard]] int column_width(index_t length, index_t inner) const;

  exec::Device device_;
  index_t length_;
  index_t capacity_;  ///< elements of a team's largest tile
  index_t work_elements_ = 0;
  PassTables<Real> tables_;
  std::vector<Step<Real>> steps_;
  exec::Buffer<Pass<Real>> passes_;  ///< those of the steps, on the device
};

}  // namespace phpc::fft
