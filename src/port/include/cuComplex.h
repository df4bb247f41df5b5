#include "phpc/cuda/complex.hpp"
