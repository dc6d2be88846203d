#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float red[4][32];
    const int w = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int col = blockIdx.x * 4 + w;
    const int row = blockIdx.y;
    if (col >= N) return;

    float p = 0.0f;
    for (int k = lane; k < N; k += 32) p += A[row * N + k] * B[k * N + col];
    red[w][lane] = p;
    __syncwarp();

    for (int off = 16; off > 0; off >>= 1) {
        if (lane < off) red[w][lane] += red[w][lane + off];
    }

    if (lane == 0) C[row * N + col] = red[w][0];
}

LAUNCH(.block = {128}, .tile = {4, 1});
