#include <lab.h>

#define VEC 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = VEC * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float acc[VEC] = {0.0f};

    if (row < N) {
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
#pragma unroll
            for (int j = 0; j < VEC; j++)
                if (col + j < N)
                    acc[j] += a * B[k * N + col + j];
        }
    }

    if (row < N && col < N) {
#pragma unroll
        for (int j = 0; j < VEC; j++)
            C[row * N + col + j] = acc[j];
    }
}

LAUNCH(.block = {8, 32}, .tile = {8 * VEC, 32});
