#include <lab.h>

#define ALL_LANES 0xFFFFFFFFu

// Each lane holds one element of A's row; __shfl_sync hands it to the other lanes. No shared memory at all.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row  = blockIdx.y * blockDim.y + threadIdx.y;
    const int col  = blockIdx.x * 32 + lane;

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        const float mine = (row < N && k0 + lane < N) ? __ldg(&A[row * N + k0 + lane]) : 0.0f;
        const int n = min(32, N - k0);
        for (int j = 0; j < n; ++j) {
            const float a = __shfl_sync(ALL_LANES, mine, j);
            const float b = col < N ? __ldg(&B[(k0 + j) * N + col]) : 0.0f;
            acc = fmaf(a, b, acc);
        }
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {32, 6}, .tile = {32, 6});
