// Double buffering: one barrier per tile instead of two
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][T][T], Bs[2][T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    int tiles = (N + T - 1) / T;
    float sum = 0.0f;

    auto load = [&](int buf, int t) {
        int ka = t * T + tx, kb = t * T + ty;
        As[buf][ty][tx] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        Bs[buf][ty][tx] = kb < N && col < N ? B[kb * N + col] : 0.0f;
    };
    auto compute = [&](int buf) {
        #pragma unroll
        for (int k = 0; k < T; ++k)
            sum += As[buf][ty][k] * Bs[buf][k][tx];
    };

    int cur = 0;
    load(cur, 0);
    __syncthreads();
    for (int t = 1; t < tiles; ++t) {
        load(cur ^ 1, t);
        compute(cur);
        __syncthreads();
        cur ^= 1;
    }
    // last tile: nothing left to load
    compute(0);

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
