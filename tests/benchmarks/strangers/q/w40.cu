#include <lab.h>

constexpr unsigned EDGE = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float at[EDGE][EDGE];
    __shared__ float bt[EDGE][EDGE];
    const int x = blockIdx.x * EDGE + threadIdx.x;
    const int y = blockIdx.y * EDGE + threadIdx.y;
    float acc = 0.0f;

    auto put = [N](float &dst, const float *m, int r, int c) {
        if (r < N && c < N) dst = m[r * N + c];
    };

    for (int k0 = 0; k0 < N; k0 += EDGE) {
        put(at[threadIdx.y][threadIdx.x], A, y, k0 + threadIdx.x);
        put(bt[threadIdx.y][threadIdx.x], B, k0 + threadIdx.y, x);
        __syncthreads();

        for (int k = 0; k < EDGE; ++k)
            acc += at[threadIdx.y][k] * bt[k][threadIdx.x];
        __syncthreads();
    }

    if (y < N && x < N)
        C[y * N + x] = acc;
}

LAUNCH(.block = {EDGE, EDGE}, .tile = {EDGE, EDGE});
