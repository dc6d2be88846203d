#include <lab.h>

// Diagonal block reordering (see the transpose whitepaper): blocks that run together do not
// hit the same memory partition.
#define TDIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a_s[TDIM][TDIM];
    __shared__ float b_s[TDIM][TDIM];

    const int blk_row = blockIdx.x;
    const int blk_col = (blockIdx.x + blockIdx.y) & (gridDim.x - 1);

    const int row = blk_row * TDIM + threadIdx.y;
    const int col = blk_col * TDIM + threadIdx.x;

    float acc = 0.0f;
    for (int t = 0; t * TDIM < N; t++) {
        const int ka = t * TDIM + threadIdx.x;
        const int kb = t * TDIM + threadIdx.y;
        a_s[threadIdx.y][threadIdx.x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        b_s[threadIdx.y][threadIdx.x] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TDIM; k++)
            acc += a_s[threadIdx.y][k] * b_s[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TDIM, TDIM}, .tile = {TDIM, TDIM});
