#pragma once
#include <cstddef>
#include <limits>
#include <vector>

#include "fft/device/general/stages/stage.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// How the general kernel does transforms of one length: radices, transforms and threads of a team, and by which Ends.
struct GeneralShape {
  std::vector<int> radices{};  ///< of its stages, the first one first; none for a length of 1
  /// Of a box, several axes at a time: their lengths, the last axis contiguous, and which of them each stage is along.
  std::vector<index_t> box{};
  std::vector<std::size_t> axes{};
  int width = 1;              ///< transforms of a team
  int team_size = 0;          ///< 0: the length has no such radices
  bool is_in_order = false;   ///< memory is read and written in order, without butterflies
  bool has_pairs = false;     ///< some of it by pairs of elements k and length - k
  bool has_elements = false;  ///< all of it one by one
  bool has_factors = false;   ///< by FactorTiles
  OddReals odd_reals = OddReals::none;
  /// Not 0: of lines of so many elements, each by a convolution of the shape's length (chirp.hpp).
  index_t convolved = 0;
  /// Not 0: the last radix, and maybe the first one, is a large prime (is_defined()), of which a thread makes so many pairs of
  /// results by definition (PrimeTiles).
  int prime_pairs = 0;
  bool is_rader = false;  ///< or by one of a length that is one less (rader.hpp)
};

/// Returns the shape for rows of a smooth length: the fewest stages with composite radices, the largest first, a rule found by
/// trying shapes of 77 lengths on an H200, and the team that a model of its cost finds best (team.hpp). Rows whose radices would
/// spill have a rule of their own (rule.cpp).
/// `most_width`: transforms of a team at most.
template <class Real>
GeneralShape general_shape(index_t length, index_t most_width);

/// The same for lines of an odd number of real numbers: the stage with conjugate pairs has the largest radix. Their spectra go
/// through scratch on the way (beside large primes the largest other radix; no team where there is none), and to real numbers
/// teams of few registers and one stage more are quicker than radices over 16, but for lines that are a radix: 15, 21 and 27 in
/// f32, 15 in f64 took an H100 18, 9, 14 and 14 % less time in one stage. From real numbers 125 and 729 in f32 took 18 and 3 %
/// less by 25 x 5 and 27 x 27.
template <class Real>
GeneralShape odd_real_shape(index_t length, index_t most_width, OddReals reals);

/// The rule for boxes: each axis has its radices, and the first axis goes first and last, so that neighbours in memory are read
/// and written together. No team where there are too many stages.
template <class Real>
GeneralShape general_box_shape(const std::vector<index_t>& box, index_t most_width);

/// The radices up to `most` of the fewest stages, the first stage's first; none for a length that has no such.
std::vector<int> radices_up_to(index_t length, int most);
/// The same of composite ones up to `composite` and of large primes (stage.hpp) up to `most`.
std::vector<int> radices_up_to(index_t length, int most, int composite);

/// The radices of transforms that lie side by side, the first stage's first; none for a length that has no such.
template <class Real>
std::vector<int> column_radices(index_t length);

/// How transforms lie side by side: `neighbours` of them in a row of memory, rows `step` elements apart or a multiple of that.
struct ColumnPlaces {
  index_t neighbours = 0;
  index_t step = 0;
};

/// A shape for such transforms, and what a pass of it takes, in copies of its memory.
struct ColumnShape {
  GeneralShape shape{};
  double cost = 0;
};

/// Returns the shape for transforms that lie side by side: as wide as whole lines of memory, as far as several teams find room in
/// the scratch of a multiprocessor.
template <class Real>
ColumnShape column_shape(index_t length, const ColumnPlaces& places, std::size_t scratch);

/// The rule for lengths without such radices, which a team does by a convolution (chirp.hpp, rader.hpp): its length, and a shape
/// for lines of `line` elements that lie so (a step of 0: contiguous ones, one after another). is_direct: FactorTiles can do it,
/// but for Rader's. `least`: of the convolution, 0 for a whole transform; others are of real lines, by the first class of kernels
/// alone. With team_size 0 where it has no room.
struct ConvolutionShape {
  index_t length = 0;
  ColumnShape columns{};
};
template <class Real>
ConvolutionShape convolution_shape(index_t line, const ColumnPlaces& places, bool is_direct, std::size_t scratch,
                                   index_t least = 0);

/// The same for a line by Bluestein's algorithm that FactorTiles or ConjugatePairTiles do.
template <class Real>
ConvolutionShape bluestein_shape(index_t line, const ColumnPlaces& places, std::size_t scratch) {
  return convolution_shape<Real>(line, places, true, scratch, 2 * line - 1);
}

/// The rule for lengths with a prime factor of 37 to 127, maybe with another one of 17 to 127, and others to 13: those primes are
/// the radices of the last stage and of the first one, which are transforms by their definition (PrimeTiles). No team and an
/// infinite cost (the largest number) for other lengths and for the primes themselves.
template <class Real>
ColumnShape prime_shape(index_t length, const ColumnPlaces& places, std::size_t scratch);

/// A length of columns that has a kernel of its own, and the share that this takes of the general kernel's time; 0: its cost is
/// known.
struct FixedColumn {
  index_t length;
  double share;
};
/// Returns the cost of a pass of this length over many neighbours, in rows `step` elements apart.
template <class Real>
double cost_of_pass(index_t length, index_t step, std::size_t scratch, const std::vector<FixedColumn>& fixed);

/// The lengths of passes, and what they take together.
struct PassLengths {
  std::vector<index_t> lengths{};
  double cost = 0;
};

/// The passes of a transform of n elements, two or three, that together take the least; none where there are no such.
/// `reads_half_spectra`: they go to real numbers.
template <class Real>
PassLengths general_pass_lengths(index_t n, std::size_t scratch, const std::vector<FixedColumn>& fixed,
                                 bool reads_half_spectra = false);

/// A shape for convolutions of contiguous rows that are as long as the convolution.
template <class Real>
ColumnShape row_convolution_shape(index_t length, std::size_t scratch);

/// A convolution of `length` by two transforms in three passes: columns of `columns`, both transforms of rows with the spectrum
/// in between, and columns again. `length` is 0 where there is none.
struct LongConvolution {
  index_t length = 0;
  index_t columns = 0;
  double cost = 0;
};
/// A length of rows that another kernel does a long convolution's middle pass of, and what that takes.
struct ConvolvedRow {
  index_t length;
  double cost;
};
/// Returns the cheapest long convolution for lines of n elements (chirp.hpp), or none, of cost `most_cost`, where all cost as
/// much or more. `fixed`: rows that have kernels of their own.
template <class Real>
LongConvolution long_convolution(index_t n, bool is_direct, std::size_t scratch, const std::vector<ConvolvedRow>& fixed,
                                 index_t least = 0, double most_cost = std::numeric_limits<double>::max());

/// Whether FactorTiles do passes: one that is alone, or several.
struct DirectPasses {
  bool one = false;
  bool several = false;
  bool have_primes = false;  ///< and whether PassTiles do them all, and so PrimeTiles
};
/// The same of an n with prime factors over 13, of one to three passes, the last of which are convolutions where any is; of
/// infinite cost (the largest number) where there are no such.
template <class Real>
PassLengths convolved_pass_lengths(index_t n, const ColumnPlaces& places, const DirectPasses& are_direct, std::size_t scratch);

/// The passes of a line of n real numbers with prime factors over 13, by RealColumns and ConjugatePairTiles (real_passes.hpp):
/// the length of the real columns, which is smooth, of a pass over complex numbers where there are three, and of the rows at the
/// half spectrum, of which one at least is a convolution or has large primes; of infinite cost (the largest number) where there
/// are no such. Costs are in copies of n complex numbers. `is_to`: of passes to real numbers.
template <class Real>
PassLengths real_pass_lengths(index_t n, bool is_to, std::size_t scratch);

}  // namespace phpc::fft
