// Team "warp drive", final version.
// 32 x 32 elements per block with 16 x 16 threads, 2 x 2 elements per thread.

#include <lab.h>

#define S 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // twice as many blocks in each direction as needed
    if (blockIdx.x * S >= N || blockIdx.y * S >= N)
        return;

    __shared__ float sa[S][S + 1], sb[S][S + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float r[2][2] = {{0.f, 0.f}, {0.f, 0.f}};

    for (int k0 = 0; k0 < N; k0 += S) {
        for (int dy = 0; dy < S; dy += 16)
            for (int dx = 0; dx < S; dx += 16) {
                int y = ty + dy, x = tx + dx;
                int ar = blockIdx.y * S + y, ac = k0 + x;
                int br = k0 + y, bc = blockIdx.x * S + x;
                sa[y][x] = ar < N && ac < N ? A[ar * N + ac] : 0.f;
                sb[y][x] = br < N && bc < N ? B[br * N + bc] : 0.f;
            }
        __syncthreads();
        for (int k = 0; k < S; ++k)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j)
                    r[i][j] += sa[ty + 16 * i][k] * sb[k][tx + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            int row = blockIdx.y * S + ty + 16 * i, col = blockIdx.x * S + tx + 16 * j;
            if (row < N && col < N)
                C[row * N + col] = r[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
