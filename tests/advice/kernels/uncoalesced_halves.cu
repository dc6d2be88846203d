// lab: tensor_cores
// Uncoalesced loads: the threads of a warp read halves of 32 rows.
#include <cuda_fp16.h>
#include <lab.h>

constexpr int WIDE = 32, HIGH = 8;

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
#ifdef FIXED
    const int row = blockIdx.y * HIGH + threadIdx.y, col = blockIdx.x * WIDE + threadIdx.x;
#else
    const int row = blockIdx.y * WIDE + threadIdx.x, col = blockIdx.x * HIGH + threadIdx.y;
#endif
    if (row >= M || col >= N)
        return;
    float sum = 0;
    for (int k = 0; k < K; ++k)
        sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = sum;
}

#ifdef FIXED
LAUNCH(.block = {WIDE, HIGH}, .tile = {WIDE, HIGH});
#else
LAUNCH(.block = {WIDE, HIGH}, .tile = {HIGH, WIDE});
#endif
