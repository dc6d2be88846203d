#include <lab.h>

constexpr int LAYERS = 4;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float layer[LAYERS][4][32];
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 4 + threadIdx.y;

    // set by every layer that takes part
    if (threadIdx.z == 0)
        for (int l = 0; l < LAYERS; ++l)
            layer[l][threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    float sum = 0.0f;
    if (row < N && col < N)
        for (int k = threadIdx.z; k < N; k += LAYERS)
            sum += A[row * N + k] * B[k * N + col];
    layer[threadIdx.z][threadIdx.y][threadIdx.x] = sum;
    __syncthreads();

    if (threadIdx.z == 0 && row < N && col < N) {
        float all = 0.0f;
        for (int l = 0; l < LAYERS; ++l)
            all += layer[l][threadIdx.y][threadIdx.x];
        C[row * N + col] = all;
    }
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
