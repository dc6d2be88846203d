#include <lab.h>

// Small integer types, because the kernel is limited by registers.
typedef short idx_t;

#define BX 32
#define BY 8
#define UNROLL 4

struct Range {
    int begin, end;
};

// the part of 0 .. n that can be done in steps of UNROLL
__device__ __forceinline__ Range mainPart(int n)
{
    Range r = {0, n / UNROLL * UNROLL};
    return r;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int row = blockIdx.y * BY + threadIdx.y;
    if (col >= N || row >= N)
        return;

    const idx_t rowStart = row * N;
    const Range r = mainPart(N);

    float s[UNROLL] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = r.begin; k < r.end; k += UNROLL) {
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            s[u] += A[rowStart + k + u] * B[(k + u) * N + col];
    }
    for (int k = r.end; k < N; ++k)
        s[0] += A[rowStart + k] * B[k * N + col];

    C[rowStart + col] = s[0] + s[1] + s[2] + s[3];
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY});
