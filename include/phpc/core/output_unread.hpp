#pragma once
#include "phpc/core/error.hpp"

namespace phpc {

/// The error of writing to a pipe that nobody reads any more, as after `| head`: fail_errno throws it for EPIPE.
class OutputUnread : public Error {
 public:
  explicit OutputUnread(const std::string& message) : Error(ErrorKind::io, message) {}
};

}  // namespace phpc
