#include "phpc/cuda/cuda.hpp"
