#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // each of the two layers of the block has its own pair of tiles
    __shared__ float sa[2][T][T], sb[2][T][T];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int row = blockIdx.y * T + y;
    const int col = blockIdx.x * T + x;
    const int nTiles = (N + T - 1) / T;
    float sum = 0.0f;

    for (int t = z; t < nTiles; t += 2) {
        const int ka = t * T + x, kb = t * T + y;
        sa[z][y][x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        sb[z][y][x] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += sa[z][y][k] * sb[z][k][x];
        __syncthreads();
    }

    if (z == 1) sa[0][y][x] = sum;
    __syncthreads();
    if (z == 0 && row < N && col < N)
        C[row * N + col] = sum + sa[0][y][x];
}

LAUNCH(.block = {T, T, 2}, .tile = {T, T});
