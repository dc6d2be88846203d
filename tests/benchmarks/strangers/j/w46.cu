#include <lab.h>

// Grid-stride loops in both directions: the grid may have any size.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int startX = blockIdx.x * blockDim.x + threadIdx.x;
    const int startY = blockIdx.y * blockDim.y + threadIdx.y;
    const int stepX = blockDim.x * gridDim.x;
    const int stepY = blockDim.y * gridDim.x;

    for (int y = startY; y < N; y += stepY) {
        for (int x = startX; x < N; x += stepX) {
            float sum = 0.0f;
            for (int k = 0; k < N; ++k)
                sum += A[y * N + k] * B[k * N + x];
            C[y * N + x] = sum;
        }
    }
}

LAUNCH(.block = {32, 8}, .tile = {64, 256});
