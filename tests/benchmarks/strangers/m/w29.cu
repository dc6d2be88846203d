#include <lab.h>
#define BS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Asub[BS][BS];
    __shared__ float Bsub[BS][BS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BS + ty;
    int col = blockIdx.x * BS + tx;

    float sum = 0.0f;
    for (int t = 0; t < N; t += BS) {
        // min() keeps the addresses inside the matrices
        Asub[ty][tx] = A[min(row, N - 1) * N + min(t + tx, N - 1)];
        Bsub[ty][tx] = B[min(t + ty, N - 1) * N + min(col, N - 1)];
        __syncthreads();
        for (int k = 0; k < BS; ++k)
            sum += Asub[ty][k] * Bsub[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
