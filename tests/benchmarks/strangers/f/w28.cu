#include <lab.h>

// Grid-stride in both directions: every thread computes several elements that are a whole block apart.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int stepX = gridDim.x * blockDim.x;
    const int stepY = gridDim.y * blockDim.y;

    float acc = 0.0f;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < N; y += stepY)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < N; x += stepX) {
            for (int k = 0; k < N; k++)
                acc += A[y * N + k] * B[k * N + x];
            C[y * N + x] = acc;
        }
}

// a block has 16 x 16 threads and there is one block for every 64 x 32 elements
LAUNCH(.block = {16, 16}, .tile = {64, 32});
