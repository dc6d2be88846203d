// Declares what host code calls of the first cuBLAS, where it is not installed. Host code never runs.
#pragma once

#include "cublas_v2.h"

typedef cublasStatus_t cublasStatus;
extern LabCall<cublasStatus> cublasInit, cublasShutdown, cublasAlloc, cublasFree, cublasGetError;
