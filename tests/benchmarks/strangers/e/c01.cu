#include <lab.h>

// padding with a macro for the leading dimension
#define TILE 16
#define LD TILE + 1

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE * (LD)];
    __shared__ float Bs[TILE * (LD)];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty * LD + tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty * LD + tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            acc += As[ty * LD + k] * Bs[k * LD + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
