// Stands for a header of the CUDA samples' helpers, where it is not installed.
#include "helper_cuda.h"
