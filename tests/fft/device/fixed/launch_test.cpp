#include "fft/device/fixed/launch.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <set>
#include <vector>

#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/line_passes.hpp"
#include "fft/device/smooth_passes.hpp"

/// Which passes have a kernel of their length, and that a plan keeps it. Only GPUs run these.
namespace phpc::fft {
namespace {

constexpr std::size_t scratch = std::size_t{227} << 10;
constexpr PassForm forms[] = {PassForm::rows,
                              PassForm::rows_from_real,
                              PassForm::rows_to_real,
                              PassForm::columns,
                              PassForm::convolution,
                              PassForm::convolution_from_real,
                              PassForm::convolution_to_real,
                              PassForm::convolved_rows,
                              PassForm::fused_four_step,
                              PassForm::fused_four_step_from_real,
                              PassForm::fused_four_step_to_real,
                              PassForm::fused_four_step_convolution,
                              PassForm::fused_last_passes};

template <class... Shapes>
std::vector<index_t> lengths_of(ShapeList<Shapes...> /*list*/) {
  return {Shapes::length...};
}

/// The lengths of the tables of a form.
template <class Real>
std::vector<index_t> lengths_of(PassForm form) {
  switch (form) {
    case PassForm::rows:
      return lengths_of(typename FixedRows<Real>::Shapes{});
    case PassForm::rows_from_real:
      return lengths_of(RealRowsOf<Real, PassForm::rows_from_real>{});
    case PassForm::rows_to_real:
      return lengths_of(RealRowsOf<Real, PassForm::rows_to_real>{});
    case PassForm::columns:
      return lengths_of(typename FixedColumns<Real>::Shapes{});
    case PassForm::convolution:
    case PassForm::convolution_from_real:
    case PassForm::convolution_to_real:
      return lengths_of(typename FixedConvolutions<Real>::Shapes{});
    case PassForm::convolved_rows:
      return lengths_of(typename FixedConvolvedRows<Real>::Shapes{});
    case PassForm::fused_four_step:
      return lengths_of(typename FourStepsOf<Real, PassForm::fused_four_step>::Shapes{});
    case PassForm::fused_four_step_from_real:
      return lengths_of(typename FourStepsOf<Real, PassForm::fused_four_step_from_real>::Shapes{});
    case PassForm::fused_four_step_to_real:
      return lengths_of(typename FourStepsOf<Real, PassForm::fused_four_step_to_real>::Shapes{});
    case PassForm::fused_four_step_convolution:
      return lengths_of(typename FixedFourStepConvolutions<Real>::Shapes{});
    case PassForm::fused_last_passes:
      return lengths_of(typename FourStepsOf<Real, PassForm::fused_last_passes>::Shapes{});
  }
  return {};
}

constexpr PassWindow window{0, 0, 64, 64};

/// A pass over rows, or over columns that lie side by side, with tables that are never read.
template <class Real>
Pass<Real> pass_of(PassForm form, index_t length) {
  static const Complex<Real> table{};
  Pass<Real> pass;
  pass.form = form;
  pass.length = static_cast<int>(length);
  pass.fixed_twiddles = &table;
  if (form == PassForm::columns) {
    pass.from_step = 64;
    pass.to_step = 64;
    pass.add_loop({.count = 64, .from = 1, .to = 1, .twiddle_step = 1});
  } else {
    pass.add_loop({.count = 64, .from = length, .to = length});
  }
  return pass;
}

template <class Real>
class FixedLaunchTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(FixedLaunchTest, Reals);

TYPED_TEST(FixedLaunchTest, EachShapeHasOne) {
  using Real = TypeParam;
  for (const PassForm form : forms) {
    const std::vector<index_t> lengths = lengths_of<Real>(form);
    ASSERT_FALSE(lengths.empty());
    std::set<FixedLaunch<Real>> launches;
    for (const index_t length : lengths) {
      launches.insert(find_fixed_kernel(pass_of<Real>(form, length), window, true).launch);
    }
    EXPECT_FALSE(launches.contains(nullptr)) << static_cast<int>(form);
    EXPECT_EQ(launches.size(), std::set(lengths.begin(), lengths.end()).size()) << static_cast<int>(form);
    EXPECT_EQ(find_fixed_kernel(pass_of<Real>(form, 4 * 7 * 11 * 13), window, true).launch, nullptr);
  }
}

/// Kernels of real lines in one launch read pairs of numbers wherever they lie, and a plan sees that half spectra of convolutions
/// are whole; others need whole complex numbers.
TYPED_TEST(FixedLaunchTest, ArraysAreWhole) {
  using Real = TypeParam;
  for (const PassForm form : forms) {
    const Pass<Real> pass = pass_of<Real>(form, lengths_of<Real>(form).front());
    const bool needs_whole = form != PassForm::fused_four_step_from_real && form != PassForm::fused_four_step_to_real &&
                             form != PassForm::convolution_from_real && form != PassForm::convolution_to_real;
    EXPECT_EQ(find_fixed_kernel(pass, window, true).needs_whole, needs_whole);
    EXPECT_EQ(find_fixed_kernel(pass, window, false).launch == nullptr, needs_whole) << static_cast<int>(form);
  }
}

TYPED_TEST(FixedLaunchTest, LayoutsAndHooksAreThoseOfKernels) {
  using Real = TypeParam;
  const auto found = [](const Pass<Real>& pass, int first = 0) {
    return find_fixed_kernel(pass, PassWindow{first, first, pass.loops[first].count, 5}, true).launch;
  };
  const Pass<Real> columns = pass_of<Real>(PassForm::columns, 256);
  ASSERT_NE(found(columns), nullptr);
  Pass<Real> last = columns;  // of several passes: reads rows
  last.from_step = 1;
  last.loops[0].from = 256;
  EXPECT_NE(found(last), nullptr);
  EXPECT_NE(found(last), found(columns));
  last.from_step = 2;
  EXPECT_EQ(found(last), nullptr);
  Pass<Real> loops = columns;
  loops.loops[0].twiddle_step = 0;
  for (const index_t count : {2, 3}) {
    loops.add_loop({.count = count, .from = 1, .to = 1});
    EXPECT_NE(found(loops), nullptr);
  }
  loops.add_loop({.count = 4, .from = 1, .to = 1});
  EXPECT_EQ(found(loops), nullptr) << "four loops";
  EXPECT_EQ(found(loops, 1), found(columns)) << "the first of them on the host";
  loops.loops[1].twiddle_step = 1;
  EXPECT_EQ(found(loops, 1), nullptr) << "twiddles of an outer loop";
  for (const PassForm form : {PassForm::rows, PassForm::columns}) {
    Pass<Real> pass = pass_of<Real>(form, 256);
    pass.load.factors = pass.fixed_twiddles;
    EXPECT_EQ(found(pass), nullptr);
    pass = pass_of<Real>(form, 256);
    pass.store.count = 200;
    EXPECT_EQ(found(pass), nullptr);
    pass = pass_of<Real>(form, 256);
    pass.fixed_twiddles = nullptr;
    EXPECT_EQ(found(pass), nullptr);
  }
  Pass<Real> rows = pass_of<Real>(PassForm::rows, 256);
  rows.add_loop({.count = 2, .from = 256, .to = 256});
  EXPECT_EQ(found(rows), nullptr) << "two loops over rows";
}

/// Passes that are planned as for a GPU keep the kernels of their lengths, and others go by the general kernel.
TYPED_TEST(FixedLaunchTest, PlansKeepIt) {
  using Real = TypeParam;
  const auto planned = [](index_t length, const std::vector<index_t>& lengths, Elements from, index_t side_by_side) {
    LineProblem problem{.length = length, .from = from, .from_stride = side_by_side, .to_stride = side_by_side};
    problem.loops = {{3, length * side_by_side + 2, length * side_by_side + 2}, {side_by_side, 1, 1}};
    LinePasses<Real> lines(exec::Device::host(), problem, true);
    lines.tables = PassTables<Real>(exec::Device::host(), scratch);
    LineEnds<Real> ends{Place::input, Place::output, lines.from, lines.to};
    ends.is_plain = from == Elements::complex;
    if (lengths.size() > 1) {
      lines.allocate_work(length);
    }
    add_smooth(lines, ends, length, lengths);
    std::vector<FixedLaunch<Real>> launches;
    for (const LineStep<Real>& step : lines.steps) {
      EXPECT_EQ(step.fixed.launch == nullptr, step.general.largest > 0);
      launches.push_back(step.fixed.launch);
    }
    return launches;
  };
  const auto found_rows = [](index_t length) {
    return find_fixed_kernel(pass_of<Real>(PassForm::rows, length), window, true).launch;
  };
  ASSERT_NE(found_rows(1000), nullptr);
  Pass<Real> pass = pass_of<Real>(PassForm::columns, 256);
  const FixedLaunch<Real> columns = find_fixed_kernel(pass, window, true).launch;
  pass.from_step = 1;
  pass.loops[0].from = 256;
  const FixedLaunch<Real> from_rows = find_fixed_kernel(pass, window, true).launch;
  ASSERT_NE(columns, from_rows);
  using Launches = std::vector<FixedLaunch<Real>>;
  EXPECT_EQ(planned(1000, {1000}, Elements::complex, 1), Launches{found_rows(1000)});
  EXPECT_EQ(planned(1001 * 8, {1001 * 8}, Elements::complex, 1), Launches{nullptr});
  EXPECT_EQ(planned(256, {256}, Elements::complex, 7), Launches{columns});
  EXPECT_EQ(planned(256, {256}, Elements::planar, 7), Launches{nullptr});
  EXPECT_EQ(planned(256 * 256, {256, 256}, Elements::complex, 1), (Launches{columns, from_rows}));
  EXPECT_EQ(planned(256 * 90, {256, 90}, Elements::complex, 1), (Launches{columns, nullptr}));
  EXPECT_EQ(planned(256 * 256, {256, 256}, Elements::planar, 1), (Launches{nullptr, from_rows}));
}

}  // namespace
}  // namespace phpc::fft
