#include "jobs/fft/block_reader.hpp"

#include <algorithm>
#include <numeric>

namespace phpc::jobs {

namespace {

/// The elements of an array in order, in pieces that lie in a buffer.
template <class T>
class Pieces {
 public:
  Pieces(io::ArrayReader& reader, index_t total) : reader_(reader), left_(total) {
    // What does not lie in the file in this order goes through the whole file for each piece.
    const index_t most = reader.is_sequential() ? 1 << 16 : total;
    buffer_.resize(static_cast<std::size_t>(std::min(most, total)));
  }
  /// At least one element and at most `count`, which is at least one and not more than is left.
  std::span<const T> next(index_t count) {
    if (at_ == filled_) {
      filled_ = static_cast<std::size_t>(std::min<index_t>(left_, static_cast<index_t>(buffer_.size())));
      reader_.read(std::as_writable_bytes(std::span(buffer_).first(filled_)));
      left_ -= static_cast<index_t>(filled_);
      at_ = 0;
    }
    const std::size_t taken = std::min(filled_ - at_, static_cast<std::size_t>(count));
    const auto piece = std::span<const T>(buffer_).subspan(at_, taken);
    at_ += taken;
    return piece;
  }

 private:
  io::ArrayReader& reader_;
  std::vector<T> buffer_;
  index_t left_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
};

template <class Real>
Real weighted(Real value, double weight) {
  return static_cast<Real>(value * weight);
}

template <class Real>
Complex<Real> weighted(Complex<Real> value, double weight) {
  return {weighted(value.re, weight), weighted(value.im, weight)};
}

template <class To, class From>
To widened(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else {
    return {value, 0};
  }
}

}  // namespace

BlockReader::BlockReader(io::ArrayReader& reader, const FftProblem& problem, std::vector<double> window)
    : reader_(reader), problem_(problem), window_(std::move(window)) {}

template <class From, class To>
void BlockReader::read_lines(std::span<To> in, index_t count) {
  const std::vector<index_t>& file = problem_.file_block;
  const std::vector<index_t>& block = problem_.in_block;
  const std::size_t last = file.size() - 1;
  const index_t file_elements = std::accumulate(file.begin(), file.end(), index_t{1}, std::multiplies<>());
  std::fill(in.begin(), in.end(), To{});
  if (file_elements == 0) {
    return;
  }
  Pieces<From> pieces(reader_, count * file_elements);
  const index_t lines = file_elements / file[last];
  std::vector<index_t> position(last, 0);  // of a line, along the axes before its own
  for (index_t line = 0; line < count * lines; ++line) {
    bool kept = true;
    index_t row = line / lines;
    for (std::size_t axis = 0; axis < last; ++axis) {
      kept = kept && position[axis] < block[axis];
      row = row * block[axis] + position[axis];
    }
    for (index_t done = 0; done < file[last];) {
      const auto piece = pieces.next(file[last] - done);
      const index_t used = kept ? std::min<index_t>(static_cast<index_t>(piece.size()), block[last] - done) : 0;
      for (index_t i = 0; i < used; ++i) {
        To& to = in[static_cast<std::size_t>(row * block[last] + done + i)];
        to = widened<To>(piece[static_cast<std::size_t>(i)]);
        if (!window_.empty()) {
          to = weighted(to, window_[static_cast<std::size_t>(last == 0 ? done + i : position[0])]);
        }
      }
      done += static_cast<index_t>(piece.size());
    }
    for (std::size_t axis = last; axis-- > 0 && ++position[axis] == file[axis];) {
      position[axis] = 0;
    }
  }
}

template <class Real>
void BlockReader::read_as(std::span<std::byte> in, index_t count) {
  const bool file_is_complex = problem_.file_type == io::npy_type_of<Complex<Real>>;
  const bool in_is_complex = problem_.in_type == io::npy_type_of<Complex<Real>>;
  const std::span<Complex<Real>> complex(reinterpret_cast<Complex<Real>*>(in.data()), in.size() / sizeof(Complex<Real>));
  if (file_is_complex) {
    read_lines<Complex<Real>>(complex, count);
  } else if (in_is_complex) {
    read_lines<Real>(complex, count);
  } else {
    read_lines<Real>(std::span(reinterpret_cast<Real*>(in.data()), in.size() / sizeof(Real)), count);
  }
}

void BlockReader::read(std::span<std::byte> in, index_t count) {
  if (problem_.file_type == problem_.in_type && problem_.file_block == problem_.in_block && window_.empty()) {
    reader_.read(in);
  } else if (problem_.precision() == fft::Precision::f32) {
    read_as<float>(in, count);
  } else {
    read_as<double>(in, count);
  }
}

}  // namespace phpc::jobs
