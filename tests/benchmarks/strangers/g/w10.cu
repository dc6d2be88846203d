#include <lab.h>

#define COLS 32
#define MAX_N 2049

// Too large for shared memory: the columns of B that this block needs, one after the other
__device__ float panel[COLS * MAX_N];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * COLS + tx;
    int row = blockIdx.y * blockDim.y + ty;

    for (int k = ty; k < N; k += blockDim.y)
        panel[k * COLS + tx] = col < N ? B[k * N + col] : 0.0f;
    __syncthreads();

    if (row < N && col < N) {
        float s = 0.0f;
        for (int k = 0; k < N; ++k)
            s += A[row * N + k] * panel[k * COLS + tx];
        C[row * N + col] = s;
    }
}

LAUNCH(.block = {COLS, 16}, .tile = {COLS, 16});
