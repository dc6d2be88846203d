#include <lab.h>

#define B_SIZE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ double sA[B_SIZE][B_SIZE];
    __shared__ float sB[B_SIZE][B_SIZE];
    int ty = threadIdx.y, tx = threadIdx.x;
    int y = blockIdx.y * B_SIZE + ty;
    int x = blockIdx.x * B_SIZE + tx;
    double sum = 0.0;

    for (int s = 0; s < N; s += B_SIZE) {
        sA[ty][tx] = 0.0;
        sB[ty][tx] = 0.0f;
        if (y < N && s + tx < N) sA[ty][tx] = A[y * N + (s + tx)];
        if (x < N && s + ty < N) sB[ty][tx] = B[(s + ty) * N + x];
        __syncthreads();
        for (int k = 0; k < B_SIZE; ++k)
            sum += sA[ty][k] * sB[k][tx];
        __syncthreads();
    }
    if (y < N && x < N)
        C[y * N + x] = (float)sum;
}

LAUNCH(.block = {B_SIZE, B_SIZE}, .tile = {B_SIZE, B_SIZE});
