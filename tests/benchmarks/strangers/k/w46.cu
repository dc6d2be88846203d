#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int ts = blockDim.x;
    __shared__ float As[ts][ts];
    __shared__ float Bs[ts][ts];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * ts + ty;
    int col = blockIdx.x * ts + tx;
    float sum = 0.0f;

    for (int p = 0; p < N; p += ts) {
        As[ty][tx] = row < N && p + tx < N ? A[row * N + p + tx] : 0.0f;
        Bs[ty][tx] = col < N && p + ty < N ? B[(p + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < ts; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16});
