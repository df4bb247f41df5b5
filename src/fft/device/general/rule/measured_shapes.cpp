#include "fft/device/general/rule/measured_shapes.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

#include "fft/device/general/rule/measured_lines.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

/// Takes the number at the beginning of the text, and the character behind it.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  PHPC_EXPECT(error == std::errc{});
  text.remove_prefix(std::min(static_cast<std::size_t>(end - text.data()) + 1, text.size()));
  return number;
}

MeasuredShape shape_of(std::string_view word) {
  MeasuredShape shape;
  shape.line = take_number(word);
  shape.width = take_number(word);
  shape.team_size = take_number(word);
  while (!word.empty()) {
    shape.radices.push_back(take_number(word));
  }
  return shape;
}

std::vector<MeasuredShape> shapes_of(std::string_view text) {
  std::vector<MeasuredShape> shapes;
  constexpr std::string_view blanks = " \n";
  for (std::size_t begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(blanks, begin);
    shapes.push_back(shape_of(text.substr(begin, end - begin)));
    begin = text.find_first_not_of(blanks, end);
  }
  return shapes;
}

}  // namespace

template <class Real>
const std::vector<MeasuredShape>& measured_shapes(RowKind kind) {
  static const std::vector<MeasuredShape> complex = shapes_of(MeasuredLines<Real>::complex);
  static const std::vector<MeasuredShape> from_reals = shapes_of(MeasuredLines<Real>::from_reals);
  static const std::vector<MeasuredShape> to_reals = shapes_of(MeasuredLines<Real>::to_reals);
  return kind == RowKind::complex ? complex : kind == RowKind::from_reals ? from_reals : to_reals;
}

template <class Real>
GeneralShape with_measured(GeneralShape rule, RowKind kind, index_t line, index_t most_width) {
  const std::vector<MeasuredShape>& shapes = measured_shapes<Real>(kind);
  const auto found = std::lower_bound(shapes.begin(), shapes.end(), line,
                                      [](const MeasuredShape& shape, index_t value) { return shape.line < value; });
  if (found != shapes.end() && found->line == line && found->width <= most_width) {
    rule.radices = found->radices;
    rule.width = found->width;
    rule.team_size = found->team_size;
    rule.is_in_order = false;
  }
  return rule;
}

template const std::vector<MeasuredShape>& measured_shapes<float>(RowKind);
template const std::vector<MeasuredShape>& measured_shapes<double>(RowKind);
template GeneralShape with_measured<float>(GeneralShape, RowKind, index_t, index_t);
template GeneralShape with_measured<double>(GeneralShape, RowKind, index_t, index_t);

}  // namespace phpc::fft
