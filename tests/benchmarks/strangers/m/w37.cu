#include <lab.h>

enum { S = 32 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[S][S];
    __shared__ float bT[S][S + 1];  // transposed; the extra column avoids bank conflicts

    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned row = blockIdx.y * S + ty, col = blockIdx.x * S + tx, n = N;
    float v = 0.0f;
    for (unsigned k0 = 0; k0 < n; k0 += S) {
        as[ty][tx] = row < n && k0 + tx < n ? A[row * n + k0 + tx] : 0.0f;
        bT[tx][ty] = col < n && k0 + ty < n ? B[(k0 + ty) * n + col] : 0.0f;
        __syncthreads();
        for (unsigned k = 0; k < S; ++k)
            v += as[ty][k] * bT[k][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = v;
}

LAUNCH(.block = {S, S}, .tile = {S, S});
