// Too few blocks for the device: a block computes 256 x 256 elements of C, one part after the other.
#include <lab.h>

constexpr int WIDTH = 32, HEIGHT = 8;
#ifdef FIXED
constexpr int TILE = 32;
#else
constexpr int TILE = 256;
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    for (int i = 0; i < TILE; i += HEIGHT)
        for (int j = 0; j < TILE; j += WIDTH) {
            const int row = blockIdx.y * TILE + i + threadIdx.y, col = blockIdx.x * TILE + j + threadIdx.x;
            if (row >= N || col >= N)
                continue;
            float sum = 0;
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
            C[row * N + col] = sum;
        }
}

LAUNCH(.block = {WIDTH, HEIGHT}, .tile = {TILE, TILE});
