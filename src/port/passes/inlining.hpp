#pragma once
#include <llvm/IR/Function.h>

#include <string>

namespace phpc::lanes {

/// Inlines all that a function calls, so that the order of its blocks is the order of the text. Returns why not; empty where it
/// has.
std::string inline_all(llvm::Function& root);

}  // namespace phpc::lanes
