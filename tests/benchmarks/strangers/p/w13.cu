#include <lab.h>

using Pair = float2;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < N && col < N) {
        const bool second = col + 1 < N;
        Pair s = {0.0f, 0.0f};

        for (int k = 0; k < N; ++k) {
            float a = A[row * N + k];
            s.x += a * B[k * N + col];
            if (second)
                s.y += a * B[k * N + col + 1];
        }

        *(Pair *)(C + row * N + col) = s;
    }
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});
