#include <lab.h>

// Two of the ten warps only load, the other eight only compute. In round t the loaders fill buffer t & 1 with tile t, and
// the others use tile t - 1 in the other buffer. All threads meet at the one barrier at the end of every round.
#define T 32
#define LOADERS 64
#define WORKERS 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T];
    __shared__ float b[2][T][T];

    const int id = threadIdx.x;
    const bool loader = id >= WORKERS;
    const int row0 = blockIdx.y * T, col0 = blockIdx.x * T;
    const int tiles = (N + T - 1) / T;
    const int tx = id % 16 * 2, ty = id / 16 * 2;   // for workers
    float s[2][2] = {};

    for (int t = 0; t <= tiles; ++t) {
        if (loader && t < tiles) {
            for (int e = id - WORKERS; e < T * T; e += LOADERS) {
                const int r = e / T, c = e % T;
                a[t & 1][r][c] = row0 + r < N && t * T + c < N ? A[(row0 + r) * N + t * T + c] : 0.0f;
                b[t & 1][r][c] = t * T + r < N && col0 + c < N ? B[(t * T + r) * N + col0 + c] : 0.0f;
            }
        }
        if (!loader && t > 0) {
            const int p = (t - 1) & 1;
            for (int k = 0; k < T; ++k)
                for (int i = 0; i < 2; ++i)
                    for (int j = 0; j < 2; ++j)
                        s[i][j] += a[p][ty + i][k] * b[p][k][tx + j];
        }
        __syncthreads();
    }

    if (loader)
        return;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (row0 + ty + i < N && col0 + tx + j < N)
                C[(row0 + ty + i) * N + col0 + tx + j] = s[i][j];
}

LAUNCH(.block = {WORKERS + LOADERS}, .tile = {T, T});
