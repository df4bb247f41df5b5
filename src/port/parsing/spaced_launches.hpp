#pragma once
#include <llvm/Support/VirtualFileSystem.h>

#include <string>

namespace phpc::port {

/// Replaces `<< <` and `>> >` of launches, which formatters write that do not know CUDA and which nvcc takes, by `<<< ` and `>>>
/// `: as many bytes, so that places in the text are those of the file.
std::string with_joined_launches(std::string source);

/// The file system of this machine, whose files are read with launches joined.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_with_joined_launches();

}  // namespace phpc::port
