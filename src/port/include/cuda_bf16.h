#include "phpc/cuda/bfloat16.hpp"
