#include <lab.h>

#define TILE 32
#define LD 33

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float As[TILE][LD];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float c = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty][tx] = (col < N && k0 + ty < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k += 4) {
            const float4 a = *(const float4 *)&As[ty][k];
            c += a.x * Bs[k][tx];
            c += a.y * Bs[k + 1][tx];
            c += a.z * Bs[k + 2][tx];
            c += a.w * Bs[k + 3][tx];
        }
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = c;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
