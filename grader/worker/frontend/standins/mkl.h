// Declares what host code calls of MKL, where it is not installed. Host code never runs.
#pragma once

#include "cblas.h"

typedef int MKL_INT;
extern LabCall<void *> mkl_malloc, mkl_calloc;
extern LabCall<int> mkl_free, mkl_free_buffers, mkl_set_num_threads, mkl_get_max_threads;
extern LabCall<double> dsecnd;
