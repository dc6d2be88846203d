// expect: launch-failed; says: 65536 bytes of static shared memory
// Declares 64 KiB of static shared memory; the limit is 48 KiB, and only dynamic shared memory can be larger.
#include <lab.h>

#define TILE 16
#define DEPTH 512

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = 0; i < DEPTH; i += TILE) {
            int a_col = first + i + tx, b_row = first + i + ty;
            As[ty][i + tx] = (row < N && a_col < N) ? A[row * N + a_col] : 0.0f;
            Bs[i + ty][tx] = (b_row < N && col < N) ? B[b_row * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
