#pragma once
#include "batch/host/host_kernel.hpp"
#include "batch/host/launch.hpp"
#include "batch/precond/preconditioner_rows.hpp"

namespace phpc::batch {

template <class T, class Method>
void launch_lanes([[maybe_unused]] std::string_view preconditioner, const SolveJob<T>& job) {
  const auto launch = [&]<template <class> class P>(PreconditionerRow<P>) {
    const HostKernel<T, Method, P> kernel{job};
    if (job.matrix.systems > 0) {
      exec::launch_on_host(kernel.shape(), kernel);
    }
  };
  if constexpr (is_complex<T>) {
    with_general_preconditioner<Method>(launch);
  } else {
    with_preconditioner<Method>(preconditioner, launch);
  }
}

}  // namespace phpc::batch
