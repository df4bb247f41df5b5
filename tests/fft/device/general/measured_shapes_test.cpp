#include "fft/device/general/rule/measured_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "fft/device/general/rule/tables.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/math/factors.hpp"

namespace phpc::fft {
namespace {

constexpr RowKind kinds[] = {RowKind::complex, RowKind::from_reals, RowKind::to_reals};

/// Of a row's transform of complex numbers.
index_t elements_of(RowKind kind, index_t line) {
  return kind != RowKind::complex && line % 2 == 0 ? line / 2 : line;
}

template <class Real>
void check_rows() {
  for (const RowKind kind : kinds) {
    const std::vector<MeasuredShape>& shapes = measured_shapes<Real>(kind);
    ASSERT_GT(shapes.size(), 100U);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const MeasuredShape& shape = shapes[i];
      SCOPED_TRACE("line " + std::to_string(shape.line));
      EXPECT_TRUE(i == 0 || shapes[i - 1].line < shape.line);
      const index_t elements = elements_of(kind, shape.line);
      EXPECT_EQ(std::accumulate(shape.radices.begin(), shape.radices.end(), index_t{1}, std::multiplies<>()), elements);
      EXPECT_TRUE(is_smooth(elements));
      ASSERT_GE(shape.radices.size(), 2U);
      EXPECT_GE(shape.width, 1);
      const GeneralClass& its = general_class<Real>(*std::max_element(shape.radices.begin(), shape.radices.end()));
      EXPECT_TRUE(shape.team_size > 0 && shape.team_size % warp_threads == 0);
      EXPECT_LE(shape.team_size, most_threads_of(its.registers));
      for (const int radix : shape.radices) {
        EXPECT_TRUE(has_radix<GeneralClasses<Real>>(radix, its.largest)) << radix;
      }
      constexpr index_t most = 232000 / static_cast<index_t>(sizeof(Complex<Real>));  // for one team of GPUs with 227 KiB
      GeneralShape made;
      made.radices = shape.radices;
      made.width = shape.width;
      made.team_size = shape.team_size;
      const GeneralTables tables = general_tables(elements, made, {elements, elements}, sizeof(Complex<Real>), most);
      EXPECT_LE(static_cast<index_t>(tables.pitch) * shape.width, most);
    }
  }
}

TEST(MeasuredShapesTest, RowsOfTheTablesAreShapes) {
  check_rows<float>();
  check_rows<double>();
}

TEST(MeasuredShapesTest, WideBatchesOfTheirLinesTakeThem) {
  const MeasuredShape& wide =
      *std::max_element(measured_shapes<float>(RowKind::complex).begin(), measured_shapes<float>(RowKind::complex).end(),
                        [](const MeasuredShape& a, const MeasuredShape& b) { return a.width < b.width; });
  ASSERT_GT(wide.width, 1);
  GeneralShape rule;
  rule.width = 1;
  rule.team_size = 32;
  EXPECT_EQ(with_measured<float>(rule, RowKind::complex, wide.line, wide.width).radices, wide.radices);
  EXPECT_EQ(with_measured<float>(rule, RowKind::complex, wide.line, wide.width).width, wide.width);
  EXPECT_EQ(with_measured<float>(rule, RowKind::complex, wide.line, wide.width - 1).width, 1);
  EXPECT_TRUE(with_measured<float>(rule, RowKind::complex, 20001, 1000).radices.empty());
}

}  // namespace
}  // namespace phpc::fft
