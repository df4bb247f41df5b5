#include "phpc/cuda/half.hpp"
