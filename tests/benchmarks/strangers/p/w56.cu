#include <lab.h>

#define W 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][W][W];
    __shared__ float Bs[2][W][W];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * W + ty;
    int col = blockIdx.x * W + tx;
    int tiles = (N + W - 1) / W;

    auto fetch = [&](int t, int buf) {
        int ka = t * W + tx, kb = t * W + ty;
        As[buf][ty][tx] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        Bs[buf][ty][tx] = col < N && kb < N ? B[kb * N + col] : 0.0f;
    };

    float acc = 0.0f;
    int cur = 0;
    fetch(0, 0);
    __syncthreads();

    for (int t = 0; t < tiles - 1; ++t) {
        if (t + 1 < tiles)
            fetch(t + 1, cur ^ 1);
        for (int k = 0; k < W; ++k)
            acc += As[cur][ty][k] * Bs[cur][k][tx];
        __syncthreads();
        cur ^= 1;
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {W, W}, .tile = {W, W});
