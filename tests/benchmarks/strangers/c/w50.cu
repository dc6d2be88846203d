#include <lab.h>

#define WARPS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * WARPS + threadIdx.y;
    int col = blockIdx.x * 32 + lane;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += 32) {
        float a = (row < N && k0 + lane < N) ? A[row * N + k0 + lane] : 0.0f;
        int n = min(32, N - k0);
        if (row < N && col < N) {
            for (int k = 0; k < n; ++k)
                acc += __shfl_sync(0xffffffff, a, k) * B[(k0 + k) * N + col];
        }
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {32, WARPS}, .tile = {32, WARPS});
