// Declares what host code calls of the first cuBLAS, where it is not installed. Host code never runs.
#pragma once

#include "cublas_v2.h"

typedef cublasStatus_t cublasStatus;
#define LAB_DECLARE(NAME) template <class... Arguments> cublasStatus NAME(Arguments &&...);
LAB_DECLARE(cublasInit)
LAB_DECLARE(cublasShutdown)
LAB_DECLARE(cublasAlloc)
LAB_DECLARE(cublasFree)
LAB_DECLARE(cublasGetError)
#undef LAB_DECLARE
