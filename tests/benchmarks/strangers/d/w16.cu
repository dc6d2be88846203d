#include <lab.h>

#define CHUNK 8
#define PARTS 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const bool valid = col < N && row < N;

    if (valid && threadIdx.z == 0)
        C[row * N + col] = 0.0f;
    __syncthreads();

    if (valid) {
        float partial = 0.0f;
        for (int k0 = threadIdx.z * CHUNK; k0 < N; k0 += PARTS * CHUNK) {
            const int end = min(k0 + CHUNK, N);
            for (int k = k0; k < end; ++k)
                partial += A[row * N + k] * B[k * N + col];
            atomicAdd(&C[row * N + col], partial);
        }
    }
}

LAUNCH(.block = {16, 16, PARTS}, .tile = {16, 16});
