#include <lab.h>

// warp per output element; partial sums are collected in shared memory
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float buf[16][32];

    const int lane = threadIdx.x;
    const int w = threadIdx.y;
    const int i = blockIdx.y * 16 + w;
    const int j = blockIdx.x;

    float sum = 0.0f;
    if (i < N)
        for (int k = lane; k < N; k += 32)
            sum += A[i * N + k] * B[k * N + j];

    buf[w][lane] = sum;
    __syncthreads();
    for (int s = 16; s > 0; s /= 2)
        if (lane < s) buf[w][lane] += buf[w][lane + s];

    if (lane == 0 && i < N)
        C[i * N + j] = buf[w][0];
}

LAUNCH(.block = {32, 16}, .tile = {1, 16});
