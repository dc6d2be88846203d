#include <lab.h>
#define EDGE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a_s[EDGE][EDGE], b_s[EDGE][EDGE];
    // linear thread index -> position in the tile
    int tx = threadIdx.x & 15;
    int ty = threadIdx.x >> 4;
    int i = blockIdx.y * EDGE + ty;
    int j = blockIdx.x * EDGE + tx;
    float cij = 0.0f;
    for (int k0 = 0; k0 < N; k0 += EDGE) {
        a_s[ty][tx] = (i < N && k0 + tx < N) ? A[i * N + k0 + tx] : 0.0f;
        b_s[ty][tx] = (j < N && k0 + ty < N) ? B[(k0 + ty) * N + j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < EDGE; ++k) cij += a_s[ty][k] * b_s[k][tx];
        __syncthreads();
    }
    if (i < N && j < N) C[i * N + j] = cij;
}

LAUNCH(.block = {256});
