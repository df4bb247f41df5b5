#pragma once
#include "batch/host_kernel.hpp"
#include "batch/method_launch.hpp"
#include "batch/method_tables.hpp"

namespace phpc::batch {

template <class T, class Method>
void launch_lanes(std::string_view preconditioner, const SolveJob<T>& job) {
  with_preconditioner<Method>(preconditioner, [&]<template <class> class P>(PreconditionerRow<P>) {
    const HostKernel<T, Method, P> kernel{job};
    if (job.matrix.systems > 0) {
      exec::launch_on_host(kernel.shape(), kernel);
    }
  });
}

}  // namespace phpc::batch
