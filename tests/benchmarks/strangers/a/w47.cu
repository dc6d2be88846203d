#include <lab.h>

#define TILE 16

// one-dimensional block of 256 threads, split by hand with shifts and masks
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE * TILE];
    __shared__ float Bs[TILE * TILE];

    const int tid = threadIdx.x;
    const int ty = tid >> 4;
    const int tx = tid & 15;
    const int row = blockIdx.y * TILE + tid >> 4;
    const int col = blockIdx.x * TILE + (tid & 15);

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[tid] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[tid] = (col < N && k0 + ty < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[ty << 4 | k] * Bs[k << 4 | tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE * TILE}, .tile = {TILE, TILE});
