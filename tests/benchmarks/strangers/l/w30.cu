#include <lab.h>

template <int BM, int BN, int BK>
__device__ void tile_product(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.x;
    const int m = tid / BN, n = tid % BN;
    const int row = blockIdx.y * BM + m;
    const int col = blockIdx.x * BN + n;
    const int steps = (N - 1) / BK + 1;

    float acc = 0.0f;
    for (int t = 0; t < steps; ++t) {
        if (tid < BM * BK) {
            const int y = tid / BK, x = tid % BK;
            const int gr = blockIdx.y * BM + y;
            const int gc = t * BM + x;
            As[y][x] = gr < N && gc < N ? A[gr * N + gc] : 0.0f;
        }
        if (tid < BK * BN) {
            const int y = tid / BN, x = tid % BN;
            const int gr = t * BK + y;
            const int gc = blockIdx.x * BN + x;
            Bs[y][x] = gr < N && gc < N ? B[gr * N + gc] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            acc += As[m][k] * Bs[k][n];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    tile_product<16, 32, 8>(A, B, C, N);
}

LAUNCH(.block = {512}, .tile = {32, 16});
