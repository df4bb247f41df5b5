#include "phpc/cuda/cooperative_groups.hpp"
