// expect: ok
// Variables of the module: a table in constant memory, and a counter in global memory that every block adds to.
#include <lab.h>

__constant__ int COLUMN_OF_STEP[4] = {0, 16, 32, 48};
__device__ unsigned blocks_done;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    for (int step = 0; step < 4; ++step) {
        int col = blockIdx.x * 64 + COLUMN_OF_STEP[step] + threadIdx.x;
        if (row < N && col < N) {
            float sum = 0.0f;
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
            C[row * N + col] = sum;
        }
    }
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomicAdd(&blocks_done, 1u);
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
