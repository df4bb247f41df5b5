#pragma once
#include "batch/mixed/launch.hpp"
#include "batch/mixed/mixed_host_kernel.hpp"
#include "batch/precond/preconditioner_rows.hpp"

namespace phpc::batch {

template <class Method>
void launch_mixed_lanes(std::string_view preconditioner, const SolveJob<double>& job) {
  with_preconditioner<Method>(preconditioner, [&]<template <class> class P>(PreconditionerRow<P>) {
    const MixedHostKernel<Method, P> kernel{job};
    if (job.matrix.systems > 0) {
      exec::launch_on_host(kernel.shape(), kernel);
    }
  });
}

}  // namespace phpc::batch
