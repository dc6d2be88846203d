#include <lab.h>

#define ALL 0xffffffff

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 32 + lane;
    if (row >= N)
        return;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        const float mine = k0 + lane < N ? A[row * N + k0 + lane] : 0.0f;
        const int count = min(32, N - k0);
        for (int j = 0; j < count; ++j) {
            const float a = __shfl_sync(ALL, mine, j);
            if (col < N)
                sum += a * B[(k0 + j) * N + col];
        }
    }
    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
