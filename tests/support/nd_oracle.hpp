#pragma once
#include <vector>

#include "phpc/fft/descriptor.hpp"
#include "support/dft_oracle.hpp"

namespace phpc::test {

/// The transform that a descriptor asks for, of one dense C-order array of descriptor.in_lengths(), along one
/// axis after the other; of descriptor.out_lengths(). Real numbers have no imaginary part. The scale is in it.
std::vector<Wide> transform_by_definition(const fft::Descriptor& descriptor, std::vector<Wide> values);

/// Places of the elements of transform `batch` and each repeat in an array, in C order of `lengths`, repeats outermost.
std::vector<index_t> places_of(const fft::Descriptor& descriptor, index_t batch, bool is_in);

/// Numbers that an array must have.
index_t array_size(const fft::Descriptor& descriptor, bool is_in);

}  // namespace phpc::test
