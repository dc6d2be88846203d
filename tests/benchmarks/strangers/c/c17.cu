// float4 where all rows are aligned, otherwise one float at a time
#include <lab.h>

#define BX 16
#define BY 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * BY + threadIdx.y;
    int col = (blockIdx.x * BX + threadIdx.x) * 4;
    if (row >= N || col >= N)
        return;
    const bool aligned = N % 4 == 0 && (size_t(B) | size_t(C)) % 16 == 0;  // then col + 3 < N as well
    float s[4] = {};
    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k], *b = B + k * N + col;
        if (aligned) {
            const float4 v = *(const float4 *)b;
            s[0] += a * v.x, s[1] += a * v.y, s[2] += a * v.z, s[3] += a * v.w;
        } else
            for (int j = 0; j < 4 && col + j < N; ++j)
                s[j] += a * b[j];
    }
    if (aligned)
        *(float4 *)(C + row * N + col) = make_float4(s[0], s[1], s[2], s[3]);
    else
        for (int j = 0; j < 4 && col + j < N; ++j)
            C[row * N + col + j] = s[j];
}

LAUNCH(.block = {BX, BY}, .tile = {4 * BX, BY});
