#include <lab.h>

#define TILE 16
#define GROUP 4

// Blocks in groups of GROUP tile rows, for the L2 cache (the "grouped ordering" of the Triton tutorial).
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int pid = blockIdx.y * gridDim.x + blockIdx.x;
    int perGroup = GROUP * gridDim.x;
    int first = pid / perGroup * GROUP;
    int size = GROUP;
    int pm = first + pid % perGroup % size;
    int pn = pid % perGroup / size;

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = pm * TILE + ty, col = pn * TILE + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
