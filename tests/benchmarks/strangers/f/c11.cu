#include <lab.h>

#ifndef UNROLL
#define UNROLL 3
#endif

// Grid-stride loop over the 16 x 16 tiles of C, numbered from 0. There are fewer blocks than tiles.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int per = (N + 15) / 16;
    const int blocks = gridDim.x * gridDim.y;
    for (int tile = blockIdx.y * gridDim.x + blockIdx.x; tile < per * per; tile += blocks) {
        const int r = tile / per * 16 + (int)threadIdx.y;
        const int c = tile % per * 16 + (int)threadIdx.x;
        if (r >= N || c >= N)
            continue;
        float s[UNROLL] = {};
        int k = 0;
        for (; k + UNROLL <= N; k += UNROLL)
            for (int u = 0; u < UNROLL; ++u)
                s[u] += A[r * N + k + u] * B[(k + u) * N + c];
        for (; k < N; ++k)
            s[0] += A[r * N + k] * B[k * N + c];
        float total = s[0];
        for (int u = 1; u < UNROLL; ++u)
            total += s[u];
        C[r * N + c] = total;
    }
}

LAUNCH(.block = {16, 16}, .tile = {80, 48});
