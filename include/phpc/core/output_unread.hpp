#pragma once
#include "phpc/core/error.hpp"

namespace phpc {

/// Nobody reads the output any more, as after `| head`: what fail_errno throws for EPIPE.
class OutputUnread : public Error {
 public:
  explicit OutputUnread(const std::string& message) : Error(ErrorKind::io, message) {}
};

}  // namespace phpc
