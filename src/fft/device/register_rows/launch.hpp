#pragma once
#include <cstddef>

#include "fft/lines/row_kind.hpp"
#include "phpc/core/types.hpp"
#include "phpc/exec/device.hpp"

/// Rows of so few elements that a thread holds one in its registers.
namespace phpc::fft {

/// A class of the kernel: rows of up to `most` complex numbers, or of real ones that need as many registers, with a cap on its
/// registers. 256 MiB of 29 and of 31 complex numbers in f64 took an H200 195 and 167 us with 168, 146 and 139 with 224; of 17
/// and of 19 143 and 140, 163 and 171 (in two calls).
struct RegisterRowClass {
  int most;
  int registers;
};

template <class Real>
struct RegisterRowClasses;
template <>
struct RegisterRowClasses<float> {
  static constexpr RegisterRowClass all[] = {{8, 40}, {16, 64}, {25, 96}, {32, 128}};
};
template <>
struct RegisterRowClasses<double> {
  static constexpr RegisterRowClass all[] = {{8, 64}, {16, 96}, {25, 168}, {32, 224}};
};

/// The longest row that there can be a class for: half spectra hold half as many numbers.
constexpr int longest_register_row(RowKind numbers) {
  return numbers == RowKind::complex ? 32 : 64;
}

/// The index of the class that has rows of so many numbers; -1: none has. Each prime factor is a radix of GeneralRadices.
template <class Real>
constexpr int register_row_class(RowKind numbers, index_t length) {
  // An even number of real ones is half as many complex ones, of an odd number half of the spectrum is there beside them.
  const index_t held = numbers == RowKind::complex ? length : length % 2 == 0 ? length / 2 : 2 * length / 3;
  if (length < 2 || length > longest_register_row(numbers) || (length % 2 == 1 && length > 31)) {
    return -1;
  }
  int index = 0;
  while (held > RegisterRowClasses<Real>::all[index].most) {
    ++index;
  }
  return index;
}

/// The index of the class with this cap.
template <class Real>
constexpr int register_row_class_of(int registers) {
  int index = 0;
  while (RegisterRowClasses<Real>::all[index].registers != registers) {
    ++index;
  }
  return index;
}

/// Places between rows in scratch: an odd number, so that the threads of a warp find theirs in different banks.
constexpr unsigned register_row_pitch(RowKind numbers, unsigned length) {
  return (numbers == RowKind::complex ? length : length / 2 + 1) | 1U;
}

/// Units that a row of n numbers is copied by, which are complex numbers, pairs of real ones or, of an odd number of real ones,
/// these; `are_reals`: on the side of the real numbers.
constexpr unsigned register_row_units(unsigned n, bool are_complex, bool are_reals) {
  return are_complex ? n : !are_reals ? n / 2 + 1 : n % 2 == 1 ? n : n / 2;
}

/// Rows of a team, a thread each: 64, 96 or 128, of which most threads have rows to copy (RegisterRowsKernel::Share).
constexpr unsigned register_rows_of_team(RowKind numbers, unsigned n) {
  const bool are_complex = numbers == RowKind::complex;
  const unsigned units[] = {register_row_units(n, are_complex, false), register_row_units(n, are_complex, true)};
  const auto rounds = [&](unsigned lines) {
    unsigned all = 0;
    for (const unsigned count : units) {
      all += (lines + lines / count - 1) / (lines / count);
    }
    return all;
  };
  unsigned best = 64;
  for (const unsigned lines : {96U, 128U}) {
    best = rounds(lines) < rounds(best) ? lines : best;
  }
  return best;
}

/// Bytes of a team's scratch.
template <class Real>
constexpr std::size_t register_row_scratch_bytes(RowKind numbers, unsigned length) {
  return sizeof(Complex<Real>) * register_rows_of_team(numbers, length) * register_row_pitch(numbers, length);
}

/// How a GPU transforms rows of so many numbers; of length 0: not.
struct RegisterRows {
  unsigned length = 0;
  RowKind numbers = RowKind::complex;
};

/// Rows in memory: their number, and real numbers between neighbours on both sides.
template <class Real>
struct RegisterRowsInMemory {
  const Real* in;
  Real* out;
  index_t count;
  index_t from;
  index_t to;
  Real scale;
  bool is_inverse;
};

/// Transforms rows on a GPU and waits for it.
template <class Real>
void launch_register_rows(exec::Device device, const RegisterRows& plan, const RegisterRowsInMemory<Real>& rows);

/// The same by the kernel of one class; each is defined in a source of its registers.
template <class Real, int Class, RowKind Numbers>
void launch_register_row_class(exec::Device device, unsigned length, const RegisterRowsInMemory<Real>& rows);

}  // namespace phpc::fft
