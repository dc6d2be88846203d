#include <lab.h>

#define TS 16

// Double buffering: load the next tile while this one is used -> only one barrier per tile.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[2][TS][TS];
    __shared__ float sb[2][TS][TS];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
    const int tiles = (N + TS - 1) / TS;

    auto load = [&](int buf, int t) {
        int ka = t * TS + tx, kb = t * TS + ty;
        sa[buf][ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        sb[buf][ty][tx] = (col < N && kb < N) ? B[kb * N + col] : 0.0f;
    };

    float sum = 0.0f;
    load(0, 0);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles)
            load((t + 1) & 1, t + 1);
        __syncthreads();

        const int cur = t & 1;
        for (int k = 0; k < TS; ++k)
            sum += sa[cur][ty][k] * sb[cur][k][tx];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
