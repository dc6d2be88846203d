#include <lab.h>

#define T 16
#define LOAD(buf, t)                                                                     \
    do {                                                                                 \
        const int ka = (t) * T + tx, kb = (t) * T + ty;                                  \
        sa[buf][ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.f;                   \
        sb[buf][ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.f;                   \
    } while (0)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[2][T][T], sb[2][T][T];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;
    const int tiles = (N + T - 1) / T;

    float acc = 0.f;
    int cur = 0;

    LOAD(0, 0);
    __syncthreads();

    for (int t = 0; t < tiles - 1; ++t) {
        LOAD(cur ^ 1, t + 1);
        for (int k = 0; k < T; ++k)
            acc += sa[cur][ty][k] * sb[cur][k][tx];
        __syncthreads();
        cur ^= 1;
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
