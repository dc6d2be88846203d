#include <lab.h>
#define BLOCK_SIZE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float sB[BLOCK_SIZE][BLOCK_SIZE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BLOCK_SIZE + ty;
    int col = blockIdx.x * BLOCK_SIZE + tx;
    int steps = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    float acc = 0.0f;

    for (int s = 0; s < steps; s++) {
        int ka = s * BLOCK_SIZE + tx;
        int kb = s * BLOCK_SIZE + ty;
        sA[ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        sB[ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < BLOCK_SIZE; k++) {
            acc += sA[ty][k] * sB[k][tx];
        }
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {BLOCK_SIZE, BLOCK_SIZE}, .tile = {BLOCK_SIZE, BLOCK_SIZE});
