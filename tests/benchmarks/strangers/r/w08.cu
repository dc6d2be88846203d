#include <lab.h>

// Registerblocking 4x4 without shared memory (summer school, exercise 3b)
extern "C" __global__ void __launch_bounds__(256)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    int row = (blockIdx.y * 16 + threadIdx.y) * 4;
    int col = (blockIdx.x * 16 + threadIdx.x) * 4;
    float acc[4][4] = {};

    for (int k = 0; k < N; ++k) {
        float a[4], b[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            a[i] = row + i < N ? A[(row + i) * N + k] : 0.f;
            b[i] = col + i < N ? B[k * N + col + i] : 0.f;
        }
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                acc[i][j] += a[i] * b[j];
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (row + i < N && col + j < N) C[(row + i) * N + col + j] = acc[j][i];
}
LAUNCH(.block = {16, 16}, .tile = {64, 64});
