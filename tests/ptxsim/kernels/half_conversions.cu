#include <cuda_fp16.h>

// C holds what becomes of each pattern of a half as a float; N is their number.
extern "C" __global__ void matmul(const half *A, const float *, float *C, int N) {
    for (int i = threadIdx.x; i < N; i += blockDim.x) C[i] = __half2float(A[i]);
}
