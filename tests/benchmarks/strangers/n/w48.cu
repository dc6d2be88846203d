#include <lab.h>

// Row k of B is used from one half of `line` while row k + 1 comes into the other half.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float line[2][64];
    const int tx = threadIdx.x;
    const int col = blockIdx.x * 64 + tx;
    const int row = blockIdx.y * 8 + threadIdx.y;

    if (threadIdx.y == 0 && col < N)
        line[0][tx] = B[col];
    __syncthreads();

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        if (threadIdx.y == 0 && col < N)
            line[(k + 1) % 2][tx] = B[(k + 1) * N + col];
        if (row < N && col < N)
            sum += A[row * N + k] * line[k % 2][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {64, 8}, .tile = {64, 8});
