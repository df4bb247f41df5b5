#pragma once

namespace phpc::jobs {

/// Notes which processors the program may use; to be called before OpenMP's first use, which binds the caller to a place of its
/// own where OMP_PROC_BIND is set.
void remember_processors();

/// Lets the calling thread, and those that it starts, run on all of these again: threads that read files beside OpenMP's would
/// otherwise inherit one place and share it.
void use_all_processors();

}  // namespace phpc::jobs
