#pragma once
#include <string_view>

namespace phpc::fft {

/// Measured shapes of the general kernel's rows as words line:width:threads:radices, by lines: those that took less time than the
/// rule's, 256 MiB of each, of all lines without prime factors over 13 that the general kernel does in one pass and threads do
/// not in registers. bench/fft_shapes.cpp prints them.
template <class Real>
struct MeasuredLines {
  static const std::string_view complex;
  static const std::string_view from_reals;
  static const std::string_view to_reals;
};

template <>
const std::string_view MeasuredLines<float>::complex;
template <>
const std::string_view MeasuredLines<float>::from_reals;
template <>
const std::string_view MeasuredLines<float>::to_reals;
template <>
const std::string_view MeasuredLines<double>::complex;
template <>
const std::string_view MeasuredLines<double>::from_reals;
template <>
const std::string_view MeasuredLines<double>::to_reals;

}  // namespace phpc::fft
