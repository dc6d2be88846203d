// Declares what host code calls of MKL, where it is not installed. Host code never runs.
#pragma once

#include "cblas.h"

typedef int MKL_INT;
inline void *mkl_malloc(size_t, int) { return 0; }
inline void *mkl_calloc(size_t, size_t, int) { return 0; }
inline void mkl_free(void *) {}
inline void mkl_free_buffers() {}
inline void mkl_set_num_threads(int) {}
inline int mkl_get_max_threads() { return 1; }
inline double dsecnd() { return 0; }
