#pragma once
#include "batch/host_kernel.hpp"
#include "batch/method_launch.hpp"
#include "batch/method_tables.hpp"

namespace phpc::batch {

template <class T, class Method>
void launch_lanes(std::string_view preconditioner, const SolveJob<T>& job) {
  const auto launch = [&]<template <class> class P>(PreconditionerRow<P>) {
    const HostKernel<T, Method, P> kernel{job};
    if (job.matrix.systems > 0) {
      exec::launch_on_host(kernel.shape(), kernel);
    }
  };
  if constexpr (Method::preconditioned) {
    if (job.table != nullptr) {
      launch(PreconditionerRow<PatternPreconditioner>{preconditioner});
      return;
    }
  }
  with_plain_preconditioner<Method>(preconditioner, launch);
}

}  // namespace phpc::batch
