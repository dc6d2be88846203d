#include <lab.h>

// split-K inside of the block: 4 layers of threads share the loop over k
#define BX 16
#define BY 8
#define SPLIT 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float partial[SPLIT][BY][BX];

    const int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    const int row = blockIdx.y * BY + ty;
    const int col = blockIdx.x * BX + tx;

    float sum = 0.0f;
    if (row < N && col < N)
        for (int k = tz; k < N; k += SPLIT)
            sum += A[row * N + k] * B[k * N + col];
    partial[tz][ty][tx] = sum;

    if (tz == 0 && row < N && col < N) {
        float total = 0.0f;
        for (int s = 0; s < SPLIT; ++s)
            total += partial[s][ty][tx];
        C[row * N + col] = total;
    }
}

LAUNCH(.block = {BX, BY, SPLIT}, .tile = {BX, BY});
