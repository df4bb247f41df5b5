#pragma once
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "phpc/core/types.hpp"

/// .npz archives as NumPy writes them, and as it would not.
namespace phpc::test {

struct NpzMember {
  std::string name;   ///< without ".npy"
  std::string descr;  ///< "<f8"
  std::vector<index_t> shape;
  std::string bytes;  ///< of the elements
  std::string order = "False";
};

enum class Packing { stored, deflated };

/// A .npy file in memory.
std::string npy_text(const NpzMember& member);

void write_npz(const std::string& path, const std::vector<NpzMember>& members, Packing packing);

/// Numbers as a file holds them.
template <class T>
std::string bytes_of(const std::vector<T>& values, std::endian order = std::endian::native) {
  std::string bytes;
  for (const T value : values) {
    std::string one(sizeof value, '\0');
    std::memcpy(one.data(), &value, sizeof value);
    bytes += order == std::endian::native ? one : std::string(one.rbegin(), one.rend());
  }
  return bytes;
}

}  // namespace phpc::test
