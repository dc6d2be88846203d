#include <lab.h>

constexpr int TS = 16;      // tile
constexpr int G  = 3;       // groups of threads, each works on every third pair of tiles

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[G][TS][TS];
    __shared__ float sb[G][TS][TS];

    const int x = threadIdx.x, y = threadIdx.y, g = threadIdx.z;
    const int row = blockIdx.y * TS + y;
    const int col = blockIdx.x * TS + x;
    const int tiles = (N + TS - 1) / TS;

    float acc = 0.0f;
    for (int t = g; t < tiles; t += G) {
        const int ka = t * TS + x;
        const int kb = t * TS + y;
        sa[g][y][x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        sb[g][y][x] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TS; ++k)
            acc += sa[g][y][k] * sb[g][k][x];
        __syncthreads();
    }

    // sum of the groups
    sa[g][y][x] = acc;
    __syncthreads();
    if (g == 0 && row < N && col < N)
        C[row * N + col] = sa[0][y][x] + sa[1][y][x] + sa[2][y][x];
}

LAUNCH(.block = {TS, TS, G}, .tile = {TS, TS});
