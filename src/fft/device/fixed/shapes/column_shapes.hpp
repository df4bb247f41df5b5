#pragma once
#include "fft/device/fixed/shapes/shape.hpp"

namespace phpc::fft {

/// A shape of columns of Length elements: the Share, in percent, of the time of the general kernel that they take, for the choice
/// of passes (0: their cost is known by length, see cost_of_pass), at most Registers registers a thread (0: as many as the
/// compiler takes), Threads that work on one column, Width columns of a team, and the radices of the stages.
template <int Length, int Share, int Registers, int Threads, int Width, int... R>
struct Column : Capped<Registers, FixedShape<Threads, Width, 0, R...>> {
  static_assert((R * ... * 1) == Length);
  static constexpr int share = Share;
};

/// The shapes of columns, the passes of longer transforms, several side by side, and transforms of strided elements. Those with a
/// share are of lengths from 33 to 1050 that the general kernel was slow with on an H200: 34 in f32 and 70 in f64 of which
/// transforms of length^2 elements in two or three passes were at less than 0.92 of cuFFT's speed, and of the others 59 and 54
/// that were so at less than 0.95 where elements lie a batch apart. Shapes were tried by a rule, up to four of a length: the
/// fewest stages and one more, the largest radix first, length / largest threads a column or a part of that, and 8 to 32 columns
/// in f32, 4 to 16 in f64. Squares of the first went from 0.87 of cuFFT by the median to 1.11 in f32, from 0.82 to 1.16 in f64.
template <class Real>
struct FixedColumns;

template <>
struct FixedColumns<float> {
  using Caps = CapList<0, 48, 56, 64, 80>;
  using Shapes = ShapeList<
      Column<35, 89, 48, 5, 32, 7, 5>, Column<40, 90, 56, 4, 32, 10, 4>, Column<44, 82, 56, 4, 32, 11, 4>,
      Column<45, 83, 56, 5, 32, 9, 5>, Column<49, 91, 48, 7, 32, 7, 7>, Column<50, 83, 56, 5, 32, 10, 5>,
      Column<60, 82, 56, 6, 32, 10, 6>, Column<64, 0, 0, 8, 32, 8, 8>, Column<66, 88, 56, 6, 32, 11, 6>,
      Column<81, 82, 56, 9, 32, 9, 9>, Column<88, 79, 56, 8, 32, 11, 8>, Column<96, 71, 64, 8, 32, 12, 8>,
      Column<100, 0, 0, 16, 16, 10, 10>, Column<117, 71, 64, 9, 32, 13, 9>, Column<120, 78, 64, 10, 32, 12, 10>,
      Column<128, 0, 0, 8, 32, 16, 8>, Column<130, 74, 64, 10, 32, 13, 10>, Column<132, 84, 64, 11, 32, 12, 11>,
      Column<143, 74, 64, 11, 32, 13, 11>, Column<144, 82, 64, 12, 32, 12, 12>, Column<156, 85, 64, 12, 16, 13, 12>,
      Column<160, 92, 80, 8, 16, 20, 8>, Column<169, 87, 64, 13, 16, 13, 13>, Column<175, 85, 48, 25, 16, 7, 5, 5>,
      Column<176, 91, 64, 11, 16, 16, 11>, Column<189, 93, 80, 9, 16, 21, 9>, Column<192, 91, 64, 12, 16, 16, 12>,
      Column<195, 83, 64, 15, 16, 13, 5, 3>, Column<196, 85, 64, 14, 16, 14, 14>, Column<200, 82, 80, 10, 16, 20, 10>,
      Column<210, 87, 80, 10, 16, 21, 10>, Column<216, 79, 80, 12, 16, 18, 12>, Column<240, 87, 80, 12, 16, 20, 12>,
      Column<243, 79, 56, 27, 16, 9, 9, 3>, Column<256, 0, 0, 16, 16, 16, 16>, Column<273, 81, 64, 21, 16, 13, 7, 3>,
      Column<275, 85, 56, 25, 16, 11, 5, 5>, Column<288, 81, 80, 16, 16, 18, 16>, Column<297, 72, 56, 27, 16, 11, 9, 3>,
      Column<300, 75, 80, 15, 16, 20, 15>, Column<315, 91, 56, 18, 16, 9, 7, 5>, Column<325, 73, 64, 25, 16, 13, 5, 5>,
      Column<338, 75, 64, 26, 16, 13, 13, 2>, Column<343, 76, 48, 25, 16, 7, 7, 7>, Column<351, 75, 64, 27, 16, 13, 9, 3>,
      Column<360, 76, 80, 18, 16, 20, 18>, Column<363, 75, 56, 17, 16, 11, 11, 3>, Column<375, 66, 64, 25, 16, 15, 5, 5>,
      Column<378, 73, 80, 18, 16, 21, 18>, Column<390, 66, 64, 30, 16, 13, 6, 5>, Column<396, 73, 56, 18, 16, 11, 6, 6>,
      Column<400, 0, 0, 20, 8, 20, 20>, Column<405, 78, 56, 23, 16, 9, 9, 5>, Column<416, 66, 64, 32, 16, 13, 8, 4>,
      Column<420, 75, 80, 20, 16, 21, 20>, Column<429, 70, 64, 17, 16, 13, 11, 3>, Column<432, 81, 80, 18, 16, 24, 18>,
      Column<455, 80, 64, 18, 16, 13, 7, 5>, Column<480, 71, 56, 24, 16, 10, 8, 6>, Column<490, 79, 56, 25, 16, 10, 7, 7>,
      Column<495, 76, 64, 17, 16, 15, 11, 3>, Column<500, 77, 56, 25, 16, 10, 10, 5>, Column<504, 84, 80, 21, 16, 24, 21>,
      Column<507, 68, 64, 20, 16, 13, 13, 3>, Column<512, 0, 64, 32, 16, 16, 4, 8>, Column<525, 76, 64, 18, 16, 15, 7, 5>,
      Column<528, 73, 56, 24, 16, 11, 8, 6>, Column<539, 75, 56, 25, 16, 11, 7, 7>, Column<540, 67, 56, 27, 16, 10, 9, 6>,
      Column<546, 71, 64, 21, 16, 13, 7, 6>, Column<560, 70, 56, 28, 16, 10, 8, 7>, Column<576, 71, 56, 32, 16, 9, 8, 8>,
      Column<585, 74, 64, 23, 16, 13, 9, 5>, Column<588, 69, 64, 25, 16, 12, 7, 7>, Column<605, 80, 56, 28, 16, 11, 11, 5>,
      Column<616, 71, 56, 28, 16, 11, 8, 7>, Column<625, 76, 80, 25, 16, 25, 25>, Column<630, 72, 64, 23, 16, 14, 9, 5>,
      Column<640, 70, 56, 32, 16, 10, 8, 8>, Column<675, 80, 64, 23, 16, 15, 9, 5>, Column<676, 76, 64, 26, 16, 13, 13, 4>,
      Column<700, 72, 56, 18, 16, 10, 10, 7>, Column<702, 75, 64, 27, 16, 13, 9, 6>, Column<715, 77, 64, 28, 16, 13, 11, 5>,
      Column<720, 66, 56, 18, 16, 10, 9, 8>, Column<728, 71, 64, 28, 16, 13, 8, 7>, Column<729, 80, 80, 27, 16, 27, 27>,
      Column<810, 89, 64, 54, 8, 15, 9, 6>, Column<819, 86, 80, 39, 8, 21, 13, 3>, Column<825, 72, 64, 55, 8, 15, 11, 5>,
      Column<845, 89, 64, 33, 8, 13, 13, 5>, Column<864, 69, 64, 36, 8, 12, 9, 8>, Column<875, 74, 48, 63, 8, 7, 5, 5, 5>,
      Column<900, 92, 64, 60, 8, 15, 10, 6>, Column<924, 82, 64, 33, 8, 14, 11, 6>, Column<975, 86, 80, 39, 8, 25, 13, 3>,
      Column<980, 88, 64, 35, 8, 14, 10, 7>, Column<1000, 0, 64, 50, 8, 10, 5, 5, 4>, Column<1001, 89, 64, 39, 8, 13, 11, 7>,
      Column<1024, 0, 64, 64, 8, 16, 8, 8>, Column<1029, 72, 80, 49, 8, 21, 7, 7>, Column<2048, 0, 64, 128, 4, 16, 16, 8>,
      Column<4096, 0, 0, 64, 4, 16, 16, 16>>;
};

template <>
struct FixedColumns<double> {
  using Caps = CapList<0, 64, 80, 96, 128>;
  using Shapes = ShapeList<
      Column<35, 89, 96, 5, 16, 7, 5>, Column<40, 93, 128, 4, 16, 10, 4>, Column<42, 90, 96, 6, 16, 7, 6>,
      Column<44, 86, 128, 4, 16, 11, 4>, Column<45, 91, 96, 5, 16, 9, 5>, Column<49, 89, 96, 7, 16, 7, 7>,
      Column<50, 91, 128, 5, 16, 10, 5>, Column<55, 79, 128, 5, 16, 11, 5>, Column<56, 89, 96, 7, 16, 8, 7>,
      Column<60, 90, 128, 5, 16, 12, 5>, Column<63, 86, 96, 7, 16, 9, 7>, Column<64, 0, 0, 8, 16, 8, 8>,
      Column<66, 88, 128, 6, 16, 11, 6>, Column<70, 89, 128, 7, 16, 10, 7>, Column<72, 88, 96, 8, 16, 9, 8>,
      Column<77, 86, 128, 7, 16, 11, 7>, Column<80, 88, 128, 8, 16, 10, 8>, Column<81, 89, 96, 9, 16, 9, 9>,
      Column<84, 84, 128, 7, 16, 12, 7>, Column<88, 84, 128, 8, 16, 11, 8>, Column<96, 85, 128, 8, 16, 12, 8>,
      Column<99, 81, 128, 9, 16, 11, 9>, Column<100, 0, 0, 10, 8, 10, 10>, Column<105, 81, 96, 15, 16, 7, 5, 3>,
      Column<108, 82, 128, 9, 16, 12, 9>, Column<110, 87, 128, 10, 16, 11, 10>, Column<117, 77, 128, 9, 16, 13, 9>,
      Column<120, 83, 128, 8, 16, 15, 8>, Column<121, 80, 128, 11, 16, 11, 11>, Column<128, 0, 0, 8, 16, 16, 8>,
      Column<132, 86, 128, 11, 16, 12, 11>, Column<135, 78, 128, 9, 16, 15, 9>, Column<143, 79, 128, 11, 16, 13, 11>,
      Column<144, 88, 128, 9, 16, 16, 9>, Column<150, 91, 128, 10, 8, 15, 10>, Column<175, 80, 96, 25, 4, 7, 5, 5>,
      Column<176, 89, 128, 16, 8, 11, 4, 4>, Column<180, 86, 128, 12, 8, 15, 12>, Column<189, 72, 96, 21, 8, 9, 7, 3>,
      Column<192, 85, 96, 24, 8, 8, 6, 4>, Column<196, 87, 128, 14, 8, 14, 14>, Column<198, 59, 128, 18, 8, 11, 6, 3>,
      Column<200, 80, 128, 20, 8, 10, 5, 4>, Column<210, 80, 96, 30, 8, 7, 6, 5>, Column<216, 71, 96, 24, 8, 9, 6, 4>,
      Column<220, 72, 128, 20, 8, 11, 10, 2>, Column<225, 90, 96, 25, 8, 9, 5, 5>, Column<231, 61, 128, 21, 8, 11, 7, 3>,
      Column<240, 78, 96, 30, 8, 8, 6, 5>, Column<242, 55, 128, 22, 4, 11, 11, 2>, Column<243, 84, 96, 27, 8, 9, 9, 3>,
      Column<250, 80, 128, 25, 8, 10, 5, 5>, Column<252, 84, 96, 28, 8, 9, 7, 4>, Column<256, 0, 0, 16, 8, 16, 16>,
      Column<264, 67, 128, 24, 4, 11, 6, 4>, Column<270, 81, 96, 30, 8, 9, 6, 5>, Column<273, 65, 128, 21, 8, 13, 7, 3>,
      Column<275, 73, 128, 25, 8, 11, 5, 5>, Column<280, 74, 128, 28, 8, 10, 7, 4>, Column<286, 57, 128, 22, 4, 13, 11, 2>,
      Column<288, 78, 96, 32, 8, 9, 8, 4>, Column<297, 60, 128, 27, 8, 11, 9, 3>, Column<308, 67, 128, 28, 4, 11, 7, 4>,
      Column<315, 68, 96, 35, 8, 9, 7, 5>, Column<320, 75, 128, 32, 8, 10, 8, 4>, Column<324, 74, 96, 36, 8, 9, 9, 4>,
      Column<325, 70, 128, 25, 8, 13, 5, 5>, Column<336, 71, 128, 28, 8, 12, 7, 4>, Column<343, 86, 96, 49, 4, 7, 7, 7>,
      Column<351, 68, 128, 27, 8, 13, 9, 3>, Column<352, 70, 128, 32, 8, 11, 8, 4>, Column<360, 74, 96, 40, 8, 9, 8, 5>,
      Column<363, 54, 128, 33, 4, 11, 11, 3>, Column<378, 69, 128, 27, 8, 14, 9, 3>, Column<384, 74, 128, 32, 8, 12, 8, 4>,
      Column<385, 64, 128, 35, 4, 11, 7, 5>, Column<392, 83, 128, 28, 8, 14, 7, 4>, Column<396, 63, 128, 36, 4, 11, 6, 6>,
      Column<400, 0, 0, 40, 4, 10, 10, 4>, Column<405, 70, 128, 27, 8, 15, 9, 3>, Column<429, 57, 128, 33, 4, 13, 11, 3>,
      Column<432, 78, 96, 48, 4, 9, 8, 6>, Column<440, 68, 128, 40, 4, 11, 8, 5>, Column<441, 84, 96, 49, 4, 9, 7, 7>,
      Column<448, 70, 128, 32, 8, 14, 8, 4>, Column<450, 71, 128, 30, 8, 15, 6, 5>, Column<455, 66, 128, 35, 4, 13, 7, 5>,
      Column<484, 66, 128, 44, 4, 11, 11, 4>, Column<495, 66, 128, 33, 4, 15, 11, 3>, Column<504, 79, 96, 56, 4, 9, 8, 7>,
      Column<512, 0, 0, 32, 8, 8, 8, 8>, Column<525, 64, 96, 38, 8, 7, 5, 5, 3>, Column<528, 62, 128, 48, 4, 11, 8, 6>,
      Column<539, 64, 128, 49, 4, 11, 7, 7>, Column<540, 72, 128, 54, 4, 10, 9, 6>, Column<550, 72, 128, 50, 4, 11, 10, 5>,
      Column<567, 84, 96, 63, 8, 9, 9, 7>, Column<572, 67, 128, 44, 4, 13, 11, 4>, Column<576, 70, 128, 48, 8, 12, 8, 6>,
      Column<585, 75, 128, 45, 4, 13, 9, 5>, Column<594, 63, 128, 54, 4, 11, 9, 6>, Column<605, 72, 128, 55, 4, 11, 11, 5>,
      Column<616, 67, 128, 56, 4, 11, 8, 7>, Column<625, 86, 80, 63, 8, 5, 5, 5, 5>, Column<637, 73, 128, 49, 4, 13, 7, 7>,
      Column<648, 58, 96, 36, 8, 9, 9, 8>, Column<675, 71, 128, 45, 8, 15, 15, 3>, Column<676, 63, 128, 52, 4, 13, 13, 4>,
      Column<693, 72, 128, 63, 8, 11, 9, 7>, Column<715, 75, 128, 55, 8, 13, 11, 5>, Column<726, 69, 128, 33, 8, 11, 11, 6>,
      Column<729, 84, 96, 41, 8, 9, 9, 9>, Column<750, 72, 128, 50, 8, 15, 10, 5>, Column<770, 55, 128, 55, 4, 14, 11, 5>,
      Column<792, 63, 128, 72, 4, 11, 9, 8>, Column<800, 73, 128, 50, 4, 16, 10, 5>, Column<825, 81, 128, 55, 4, 15, 11, 5>,
      Column<845, 75, 128, 65, 4, 13, 13, 5>, Column<847, 78, 128, 77, 4, 11, 11, 7>, Column<864, 85, 96, 72, 4, 6, 6, 6, 4>,
      Column<875, 90, 96, 125, 4, 7, 5, 5, 5>, Column<891, 81, 128, 81, 4, 11, 9, 9>, Column<936, 74, 128, 72, 4, 13, 9, 8>,
      Column<968, 77, 128, 88, 4, 11, 11, 8>, Column<972, 68, 128, 81, 4, 12, 9, 9>, Column<975, 73, 128, 65, 4, 15, 13, 5>,
      Column<990, 74, 128, 90, 4, 11, 10, 9>, Column<1001, 79, 128, 77, 4, 13, 11, 7>, Column<1008, 72, 96, 72, 4, 7, 6, 6, 4>,
      Column<1024, 0, 64, 128, 4, 8, 8, 4, 4>, Column<1029, 64, 96, 74, 4, 7, 7, 7, 3>, Column<2048, 0, 64, 256, 4, 8, 8, 8, 4>,
      Column<4096, 0, 0, 128, 2, 16, 16, 16>>;
};

static_assert(has_all_caps(FixedColumns<float>::Caps{}, FixedColumns<float>::Shapes{}) &&
              has_all_caps(FixedColumns<double>::Caps{}, FixedColumns<double>::Shapes{}));

}  // namespace phpc::fft
