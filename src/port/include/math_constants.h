#include "phpc/cuda/math_constants.hpp"
