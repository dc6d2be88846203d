#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int size = blockDim.x;    // blocks are square
    __shared__ float As[size][size];
    __shared__ float Bs[size][size];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * size + ty;
    const int col = blockIdx.x * size + tx;

    float sum = 0;
    for (int k0 = 0; k0 < N; k0 += size) {
        As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0;
        Bs[ty][tx] = (col < N && k0 + ty < N) ? B[(k0 + ty) * N + col] : 0;
        __syncthreads();

        for (int k = 0; k < size; ++k)
            sum += As[ty][k] * Bs[k][tx];

        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
