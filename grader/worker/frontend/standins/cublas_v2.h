// Declares what host code of a lab calls, where cuBLAS is not installed. Host code is compiled and never runs.
#pragma once

typedef struct cublasContext *cublasHandle_t;
enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
};
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_64F = 70
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };

inline const char *cublasGetStatusString(cublasStatus_t) { return ""; }
inline const char *cublasGetStatusName(cublasStatus_t) { return ""; }

#define LAB_DECLARE(NAME)                                               \
    template <class... Arguments> cublasStatus_t NAME(Arguments &&...); \
    template <class... Arguments> cublasStatus_t NAME##_v2(Arguments &&...);
LAB_DECLARE(cublasCreate)
LAB_DECLARE(cublasDestroy)
LAB_DECLARE(cublasGetVersion)
LAB_DECLARE(cublasSetStream)
LAB_DECLARE(cublasGetStream)
LAB_DECLARE(cublasSetMathMode)
LAB_DECLARE(cublasSetPointerMode)
LAB_DECLARE(cublasSetWorkspace)
LAB_DECLARE(cublasSetMatrix)
LAB_DECLARE(cublasGetMatrix)
LAB_DECLARE(cublasSetVector)
LAB_DECLARE(cublasGetVector)
LAB_DECLARE(cublasSgemm)
LAB_DECLARE(cublasDgemm)
LAB_DECLARE(cublasHgemm)
LAB_DECLARE(cublasSgemmEx)
LAB_DECLARE(cublasGemmEx)
LAB_DECLARE(cublasSgemmBatched)
LAB_DECLARE(cublasSgemmStridedBatched)
LAB_DECLARE(cublasGemmStridedBatchedEx)
LAB_DECLARE(cublasSgeam)
LAB_DECLARE(cublasSgemv)
LAB_DECLARE(cublasSaxpy)
LAB_DECLARE(cublasSscal)
LAB_DECLARE(cublasSdot)
LAB_DECLARE(cublasSnrm2)
LAB_DECLARE(cublasIsamax)
#undef LAB_DECLARE
