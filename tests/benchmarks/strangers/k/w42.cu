#include <lab.h>

// A warp covers 4 rows x 32 columns; every lane has 4 neighbouring columns.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int warp = threadIdx.x >> 5;
    const int lane = threadIdx.x & 31;
    const int c0 = blockIdx.x * 32 + (lane & 7 << 2);
    const int r = blockIdx.y * 16 + warp * 4 + (lane >> 3);
    if (r >= N) return;

    float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < N; ++k) {
        const float a = A[r * N + k];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (c0 + j < N)
                acc[j] = fmaf(a, B[k * N + c0 + j], acc[j]);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j)
        if (c0 + j < N)
            C[r * N + c0 + j] = acc[j];
}

LAUNCH(.block = {128}, .tile = {32, 16});
