#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // 1x4 register strip per thread
    const int row  = blockIdx.y * 8 + threadIdx.y;
    const int col0 = blockIdx.x * 64 + threadIdx.x * 4;
    float sums[4] = {};

    if (row < N && col0 < N) {
        for (int k = 0; k < N; ++k) {
            const float a = A[row * N + k];
            #pragma unroll
            for (int j = 0; j < 4; ++j) {
                const int col = min(col0 + j, N - 1);
                sums[j] += a * B[k * N + col];
            }
        }
        #pragma unroll
        for (int j = 0; j < 4; ++j)
            C[row * N + col0 + j] = sums[j];
    }
}

LAUNCH(.block = {16, 8}, .tile = {64, 8});
