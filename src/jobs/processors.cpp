#include "jobs/processors.hpp"

#include <sched.h>

namespace phpc::jobs {

namespace {

cpu_set_t allowed;
bool is_known = false;

}  // namespace

void remember_processors() {
  is_known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
}

void use_all_processors() {
  if (is_known) {
    sched_setaffinity(0, sizeof allowed, &allowed);  // where it is refused, reading is slower and nothing else
  }
}

}  // namespace phpc::jobs
