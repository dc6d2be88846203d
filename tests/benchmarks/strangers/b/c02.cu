#include <lab.h>

#define TILE   24
#define PITCH  (TILE + 1)
#define FLOATS (TILE * PITCH)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float dyn[];
    float *const sA = dyn;
    float *const sB = dyn + FLOATS;

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;

    float value = 0.f;
    for (int off = 0; off < N; off += TILE) {
        sA[y * PITCH + x] = (row < N && off + x < N) ? A[row * N + off + x] : 0.f;
        sB[x * PITCH + y] = (col < N && off + y < N) ? B[(off + y) * N + col] : 0.f;  // transposed
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            value += sA[y * PITCH + k] * sB[x * PITCH + k];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = 2 * FLOATS * sizeof(float));
