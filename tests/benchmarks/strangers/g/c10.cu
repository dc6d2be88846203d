#include <lab.h>

#define T 16

// One comparison with N * N instead of two with N. What is read from the next row of A is
// multiplied by a zero of the other tile, or belongs to a column of C that is not stored.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T], b[T][T];

    const int col = __umul24(blockIdx.x, T) + threadIdx.x;
    const int row = __umul24(blockIdx.y, T) + threadIdx.y;
    const int all = N * N;
    float sum = 0.0f;

    // N / T + 1 tiles: sometimes, the last one is empty
    for (int t = 0; t < N / T + 1; ++t) {
        const int ia = row * N + t * T + threadIdx.x;
        const int ib = (t * T + threadIdx.y) * N + col;
        a[threadIdx.y][threadIdx.x] = ia < all ? A[ia] : 0.0f;
        b[threadIdx.y][threadIdx.x] = ib < all ? B[ib] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum = __fmaf_rn(a[threadIdx.y][k], b[k][threadIdx.x], sum);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
