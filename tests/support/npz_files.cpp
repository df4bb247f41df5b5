#include "support/npz_files.hpp"

#include <minizip/zip.h>

#include <stdexcept>

namespace phpc::test {

std::string npy_text(const NpzMember& member) {
  std::string shape;
  for (const index_t length : member.shape) {
    shape += std::to_string(length) + ", ";
  }
  std::string header = "{'descr': '" + member.descr + "', 'fortran_order': " + member.order + ", 'shape': (" + shape + "), }";
  header.resize((header.size() + 10 + 64) / 64 * 64 - 10, ' ');
  header.back() = '\n';
  std::string text = "\x93NUMPY";
  text += '\x01';
  text += '\0';
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  return text + header + member.bytes;
}

void write_npz(const std::string& path, const std::vector<NpzMember>& members, Packing packing) {
  zipFile file = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  bool good = file != nullptr;
  for (const NpzMember& member : members) {
    const std::string text = npy_text(member);
    const zip_fileinfo info{};
    good = good &&
           zipOpenNewFileInZip64(file, (member.name + ".npy").c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
                                 packing == Packing::deflated ? 8 : 0, 6, 0) == ZIP_OK &&
           zipWriteInFileInZip(file, text.data(), static_cast<unsigned>(text.size())) == ZIP_OK &&
           zipCloseFileInZip(file) == ZIP_OK;
  }
  if (!good || zipClose(file, nullptr) != ZIP_OK) {
    throw std::runtime_error("cannot write " + path);
  }
}

}  // namespace phpc::test
