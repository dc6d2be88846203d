#include <lab.h>

// 1 x 4 results per thread, written with a single 128-bit store where possible
extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int N)
{
    const int col = (blockIdx.x * 8 + threadIdx.x) * 4;
    const int row = blockIdx.y * 32 + threadIdx.y;
    if (row >= N || col >= N)
        return;

    float r0 = 0, r1 = 0, r2 = 0, r3 = 0;
    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
        const float *b = B + k * N + col;
        r0 += a * b[0];
        if (col + 1 < N) r1 += a * b[1];
        if (col + 2 < N) r2 += a * b[2];
        if (col + 3 < N) r3 += a * b[3];
    }

    float *out = C + row * N + col;
    if (col + 3 < N)
        *(float4 *)out = make_float4(r0, r1, r2, r3);
    else {
        out[0] = r0;
        if (col + 1 < N) out[1] = r1;
        if (col + 2 < N) out[2] = r2;
        if (col + 3 < N) out[3] = r3;
    }
}

LAUNCH(.block = {8, 32}, .tile = {32, 32});
