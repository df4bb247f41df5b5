#include "fft/device/describe_passes.hpp"

#include <span>
#include <string>
#include <vector>

#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/prime_class.hpp"
#include "fft/device/pass_launch.hpp"
#include "fft/lines/describe.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/exec/target_region.hpp"

namespace phpc::fft {

namespace {

/// A shape of the tables as data, so that one function describes all of them.
struct ShapeFacts {
  struct Half {
    int length = 0;
    int width = 0;
    std::span<const int> radices{};
  };
  Half first{};
  Half second{};  ///< of a fused four-step kernel
  int team_size = 0;
  std::size_t scratch_bytes = 0;
  int registers = 0;  ///< at most, of a thread; 0 = as many as the compiler takes
};

template <class Real, class Shape>
constexpr ShapeFacts facts_of() {
  if constexpr (requires { typename Shape::First; }) {
    ShapeFacts facts = facts_of<Real, typename Shape::First>();
    facts.second = facts_of<Real, typename Shape::Second>().first;
    facts.scratch_bytes = scratch_bytes_of<Real, Shape>();
    return facts;
  } else {
    return {{Shape::length, Shape::width, Shape::radix},
            {},
            Shape::threads * Shape::width,
            scratch_bytes_of<Real, Shape>(),
            registers_of<Shape>()};
  }
}

std::string half_text(const ShapeFacts::Half& half) {
  return std::to_string(half.length) + " (" + radix_text(half.radices) + ", " + std::to_string(half.width) + " a team)";
}

/// Describes a kernel of fixed length on a device that caps registers, or does not.
std::string fixed_text(const ShapeFacts& facts, bool are_capped) {
  std::string text = half_text(facts.first) + (facts.second.length > 0 ? " and " + half_text(facts.second) : "") +
                     ", a kernel of that length: teams of " + std::to_string(facts.team_size) + " threads";
  const int of_wide_teams = facts.team_size > exec::detail::widest_bare_team ? PHPC_REGISTER_CAP : 0;
  if (const int registers = facts.registers > 0 ? facts.registers : of_wide_teams; are_capped && registers > 0) {
    text += " of at most " + std::to_string(registers) + " registers";
  }
  return text + ", up to " + format_bytes(facts.scratch_bytes) + " of scratch";
}

/// Describes the kernel that the tables of shapes have for a pass; empty where there is none.
template <class Real>
std::string fixed_kernel_text(PassForm form, index_t length, bool are_capped) {
  ShapeFacts facts;
  const auto take = [&](auto shape) { facts = facts_of<Real, decltype(shape)>(); };
  switch (form) {
    case PassForm::rows:
      with_shape(length, typename FixedRows<Real>::Shapes{}, take);
      break;
    case PassForm::rows_from_real:
      with_shape(length, RealRowsOf<Real, PassForm::rows_from_real>{}, take);
      break;
    case PassForm::rows_to_real:
      with_shape(length, RealRowsOf<Real, PassForm::rows_to_real>{}, take);
      break;
    case PassForm::columns:
      with_shape(length, typename FixedColumns<Real>::Shapes{}, take);
      break;
    case PassForm::convolution:
    case PassForm::convolution_from_real:
    case PassForm::convolution_to_real:
      with_shape(length, typename FixedConvolutions<Real>::Shapes{}, take);
      break;
    case PassForm::convolved_rows:
      with_shape(length, typename FixedConvolvedRows<Real>::Shapes{}, take);
      break;
    case PassForm::fused_four_step_convolution:
      with_shape(length, typename FixedFourStepConvolutions<Real>::Shapes{}, take);
      break;
    case PassForm::fused_four_step:
    case PassForm::fused_four_step_from_real:
    case PassForm::fused_four_step_to_real:
    case PassForm::fused_last_passes:
      with_four_step<Real>(form, length, take);
      break;
  }
  return facts.team_size > 0 ? fixed_text(facts, are_capped) : "";
}

std::string radices_text(const std::vector<int>& radices, int width) {
  return " (" + radix_text(radices) + ", " + std::to_string(width) + " a team)";
}

template <class Real>
std::string general_text(const GeneralRows<Real>& rows, const std::vector<index_t>& box, bool are_capped) {
  const bool has_prime = rows.largest == most_defined_prime;
  std::vector<int> radices;
  radices.reserve(std::size(rows.work.stages));
  for (int stage = 0; stage < rows.work.stage_count; ++stage) {
    radices.push_back(rows.work.stages[stage].radix());
  }
  if (has_prime) {  // see general_work()
    const GeneralStage* const by_definition = rows.work.stages + rows.work.stage_count;
    radices.push_back(by_definition[0].radix());
    if (by_definition[1].items() > 0) {
      radices.insert(radices.begin(), by_definition[1].radix());
    }
  }
  index_t length = 1;
  for (const int radix : radices) {
    length *= radix;
  }
  const auto name = [&] {
    switch (rows.form) {
      case GeneralForm::rows:
        return box.empty() ? "rows of " : "boxes of ";
      case GeneralForm::reals:
        return "rows from or to reals, ";
      case GeneralForm::tiles:
        return "columns of ";
      case GeneralForm::real_columns:
        return rows.load == RealEnd::reals ? "columns from reals, of " : "columns to reals, of ";
      case GeneralForm::conjugate_pairs:
        return rows.load == RealEnd::half ? "columns from half a spectrum, of " : "rows to half a spectrum, of ";
      case GeneralForm::real_factors:
        return rows.load == RealEnd::reals    ? "a pass with factors from reals, of "
               : rows.store == RealEnd::reals ? "a pass with factors to reals, of "
                                              : "a pass with factors from half a spectrum, of ";
      case GeneralForm::factors:
        return rows.is_convolution() ? "a pass of " : "a pass with factors of ";
      default:
        return "any pass of ";
    }
  };
  std::string text = name() + std::to_string(rows.work.length) +
                     (rows.is_convolution() ? " by convolutions of " + std::to_string(length) : "") +
                     radices_text(radices, rows.work.width) + ", the general kernel for " +
                     (has_prime ? "primes by their definition" : "radices up to " + std::to_string(rows.largest)) +
                     ": teams of " + std::to_string(rows.team_size) + " threads";
  if (are_capped) {
    const GeneralClass its =
        rows.is_of_convolutions() ? convolution_class<Real>(rows.largest) : general_class<Real>(rows.largest);
    const bool has_tiles = rows.form != GeneralForm::rows && rows.form != GeneralForm::reals;
    const int registers = has_prime ? prime_class<Real>.registers : has_tiles ? its.tile_registers : its.registers;
    text += " of at most " + std::to_string(registers) + " registers";
  }
  return text + ", " + format_bytes(rows.scratch_bytes) + " of scratch";
}

std::string form_text(PassForm form) {
  switch (form) {
    case PassForm::rows:
      return "rows of ";
    case PassForm::rows_from_real:
    case PassForm::rows_to_real:
      return "rows of pairs of reals, ";
    case PassForm::columns:
      return "columns of ";
    case PassForm::convolution:
      return "a convolution of ";
    case PassForm::convolution_from_real:
      return "from reals, a convolution of ";
    case PassForm::convolution_to_real:
      return "to reals, a convolution of ";
    case PassForm::convolved_rows:
      return "convolutions of ";
    case PassForm::fused_four_step:
      return "in one launch ";
    case PassForm::fused_four_step_from_real:
      return "from reals, in one launch ";
    case PassForm::fused_four_step_to_real:
      return "to reals, in one launch ";
    case PassForm::fused_four_step_convolution:
      return "a convolution, in one launch ";
    case PassForm::fused_last_passes:
      return "the last two passes in one launch, ";
  }
  return {};
}

bool is_convolution(PassForm form) {
  return form == PassForm::convolution || form == PassForm::convolution_from_real || form == PassForm::convolution_to_real ||
         form == PassForm::fused_four_step_convolution;
}

template <class Real>
std::string register_rows_text(const RegisterRows& rows, bool are_capped) {
  const int index = register_row_class<Real>(rows.numbers, rows.length);
  return (rows.numbers == RowKind::complex ? "rows of " : "rows from or to reals, ") + std::to_string(rows.length) +
         ", each in the registers of a thread: teams of " + std::to_string(register_rows_of_team(rows.numbers, rows.length)) +
         " threads" +
         (are_capped ? " of at most " + std::to_string(RegisterRowClasses<Real>::all[index].registers) + " registers" : "") +
         ", " + format_bytes(register_row_scratch_bytes<Real>(rows.numbers, rows.length)) + " of scratch";
}

}  // namespace

template <class Real>
std::string describe_passes(const LinePasses<Real>& lines) {
  const bool are_capped = lines.device.kind() == exec::DeviceKind::nvidia;  // by ptxas
  std::string text = std::to_string(lines.steps.size()) + (lines.steps.size() == 1 ? " pass" : " passes");
  for (const LineStep<Real>& step : lines.steps) {
    const Pass<Real>& pass = step.pass;
    text += &step == &lines.steps.front() ? ": " : "; ";
    if (step.is_r2c_postprocess) {
      text += "untangling of two half spectra in place";
      continue;
    }
    if (const RegisterRows& rows = step.register_rows; rows.length > 0) {
      text += register_rows_text<Real>(rows, are_capped);
      continue;
    }
    if (const ShortReals<Real>& rows = step.short_reals; rows.length > 0) {
      text += "rows from or to reals, " + std::to_string(rows.length) + ", by their definition: teams of " +
              std::to_string(rows.team_size()) + " threads, " + format_bytes(rows.scratch_bytes()) + " of scratch";
      continue;
    }
    if (step.general.largest > 0) {
      text += general_text(step.general, step.box, are_capped);
      continue;
    }
    text +=
        (pass.load.factors != nullptr || pass.store.factors != nullptr) && !is_convolution(pass.form) ? "of a convolution, " : "";
    text += form_text(pass.form);
    if (step.fixed.launch != nullptr) {
      text += fixed_kernel_text<Real>(pass.form, pass.length, are_capped);
      continue;
    }
    std::vector<int> radices;
    radices.reserve(static_cast<std::size_t>(pass.stage_count));
    for (int stage = 0; stage < pass.stage_count; ++stage) {
      radices.push_back(pass.radices[stage]);
    }
    const index_t tile = static_cast<index_t>(pass.width) * pass.length;
    text += std::to_string(pass.length) + radices_text(radices, pass.width) + ", the kernel for any device: teams of " +
            std::to_string(pass_team_size) + " threads, " + format_bytes(static_cast<std::uint64_t>(tile_bytes<Real>(tile))) +
            " of scratch";
  }
  const auto work = static_cast<std::uint64_t>(lines.first_work.size() + lines.second_work.size()) * sizeof(Complex<Real>);
  return text + (work > 0 ? "; " + format_bytes(work) + " of work memory" : "");
}

template std::string describe_passes(const LinePasses<float>&);
template std::string describe_passes(const LinePasses<double>&);

}  // namespace phpc::fft
