#include <lab.h>

constexpr int TS = 16;

// Two buffers, so one barrier per tile is enough.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TS][TS];
    __shared__ float Bs[2][TS][TS];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;

    auto load = [&](int buf, int k0) {
        As[buf][ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        Bs[buf][ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
    };

    float sum = 0.0f;
    int cur = 0;
    load(cur, 0);
    for (int k0 = 0; k0 < N; k0 += TS) {
        load(cur ^ 1, k0 + TS);
        __syncthreads();
        for (int k = 0; k < TS; ++k)
            sum += As[cur][ty][k] * Bs[cur][k][tx];
        cur ^= 1;
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
