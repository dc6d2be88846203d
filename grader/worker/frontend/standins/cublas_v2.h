// Declares what host code of a lab calls, where cuBLAS is not installed. Host code is compiled and never runs.
#pragma once

#include "lab_call.h"

// clang-format off
typedef struct cublasContext *cublasHandle_t;
enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_NOT_INITIALIZED, CUBLAS_STATUS_ALLOC_FAILED, CUBLAS_STATUS_INVALID_VALUE,
    CUBLAS_STATUS_ARCH_MISMATCH, CUBLAS_STATUS_MAPPING_ERROR, CUBLAS_STATUS_EXECUTION_FAILED,
    CUBLAS_STATUS_INTERNAL_ERROR, CUBLAS_STATUS_NOT_SUPPORTED, CUBLAS_STATUS_LICENSE_ERROR
};
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F, CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_COMPUTE_64F
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT, CUBLAS_GEMM_DEFAULT_TENSOR_OP };

extern LabCall<const char *> cublasGetStatusString, cublasGetStatusName;
extern LabCall<cublasStatus_t>
    cublasCreate, cublasDestroy, cublasGetVersion, cublasSetStream, cublasGetStream, cublasSetMathMode,
    cublasSetPointerMode, cublasSetWorkspace, cublasSetMatrix, cublasGetMatrix, cublasSetVector, cublasGetVector,
    cublasSgemm, cublasDgemm, cublasHgemm, cublasSgemmEx, cublasGemmEx, cublasSgemmBatched, cublasSgemmStridedBatched,
    cublasGemmStridedBatchedEx, cublasSgeam, cublasSgemv, cublasSaxpy, cublasSscal, cublasSdot, cublasSnrm2,
    cublasIsamax, cublasCreate_v2, cublasDestroy_v2, cublasSetStream_v2, cublasSgemm_v2, cublasDgemm_v2;
