#include <lab.h>
#define N_TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int n)
{
    __shared__ float shA[N_TILE][N_TILE];
    __shared__ float shB[N_TILE][N_TILE];
    unsigned r = blockIdx.y * N_TILE + threadIdx.y;
    unsigned c = blockIdx.x * N_TILE + threadIdx.x;
    unsigned un = n;
    float s = 0.0f;
    for (unsigned t = 0; t < un; t += N_TILE) {
        shA[threadIdx.y][threadIdx.x] = (r < un && t + threadIdx.x < un) ? A[r * un + t + threadIdx.x] : 0.0f;
        shB[threadIdx.y][threadIdx.x] = (c < un && t + threadIdx.y < un) ? B[(t + threadIdx.y) * un + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < N_TILE; ++k)
            s += shA[threadIdx.y][k] * shB[k][threadIdx.x];
        _syncthreads();
    }
    if (r < un && c < un)
        C[r * un + c] = s;
}

LAUNCH(.block = {N_TILE, N_TILE});
