#pragma once
#include <llvm/Support/VirtualFileSystem.h>

#include <string>

namespace phpc::port {

/// A source with `<< <` and `>> >` of launches, as formatters that do not know CUDA write them and nvcc takes them, as `<<< ` and
/// `>>> `: as many bytes, so that places in it are those of the file.
std::string with_joined_launches(std::string source);

/// The files of this machine, read so.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_with_joined_launches();

}  // namespace phpc::port
