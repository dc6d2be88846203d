// One warp per row segment. Lane l keeps A[row][k0 + l] in a register, the others get it by shuffle,
// so no shared memory and no __syncthreads at all.
#include <lab.h>

#define FULL 0xffffffffu

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * 32 + lane;

    if (row >= N) return;   // whole warps only

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        float mine = (k0 + lane < N) ? A[row * N + k0 + lane] : 0.0f;
        const int kmax = min(32, N - k0);
        for (int k = 0; k < kmax; ++k) {
            float a = __shfl_sync(FULL, mine, k);
            float b = (col < N) ? B[(k0 + lane) * N + col] : 0.0f;
            sum += a * b;
        }
    }
    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
