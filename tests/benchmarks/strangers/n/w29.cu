#include <lab.h>

// 32 columns of one row per block; 8 threads share the sum of one element
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float red[8][32];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y;
    int col = blockIdx.x * 32 + tx;

    float mySum = 0.0f;
    if (col < N) {
        for (int k = ty; k < N; k += 8)
            mySum += A[row * N + k] * B[k * N + col];
    }
    red[ty][tx] = mySum;
    __syncthreads();

    for (int s = 4; s > 0; s /= 2) {
        if (ty < s) {
            red[ty][tx] += red[ty + s][tx]; __syncthreads(); }
    }

    if (ty == 0 && col < N)
        C[row * N + col] = red[0][tx];
}

LAUNCH(.block = {32, 8}, .tile = {32, 1});
