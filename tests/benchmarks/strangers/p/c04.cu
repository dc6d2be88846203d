#include <lab.h>

// Block-stride loop over the 32 x 32 tile with 128 threads; grid-stride loop over the tiles
#define SIDE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    for (int ti = blockIdx.y; ti * SIDE < N; ti += gridDim.y) {
        for (int tj = blockIdx.x; tj * SIDE < N; tj += gridDim.x) {
            for (int e = threadIdx.x; e < SIDE * SIDE; e += blockDim.x) {
                const int i = ti * SIDE + e / SIDE;
                const int j = tj * SIDE + e % SIDE;
                if (i >= N || j >= N)
                    continue;

                float even = 0.0f, odd = 0.0f;
                int k = 0;
                for (; k + 1 < N; k += 2) {
                    even += A[i * N + k] * B[k * N + j];
                    odd  += A[i * N + k + 1] * B[(k + 1) * N + j];
                }
                if (k < N)
                    even += A[i * N + k] * B[k * N + j];
                C[i * N + j] = even + odd;
            }
        }
    }
}

LAUNCH(.block = {128}, .tile = {SIDE, SIDE});
