#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const unsigned all = 0xffffffffu;
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.y * (blockDim.x / 32) + threadIdx.x / 32;
    const int col = blockIdx.x * 32 + lane;
    const int r = min(row, N - 1);  // warps beyond the last row compute it again, but do not store
    const int c = min(col, N - 1);

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        const float a = A[r * N + min(k0 + lane, N - 1)];
        const int n = min(32, N - k0);
        for (int j = 0; j < n; ++j)
            sum += __shfl_sync(all, a, j) * B[(k0 + j) * N + c];
    }
    if (row == r && col == c)
        C[row * N + col] = sum;
}

LAUNCH(.block = {128}, .tile = {32, 4});
