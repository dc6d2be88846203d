#include <lab.h>

// No shared memory: a warp keeps 32 elements of the row of A in its registers and hands them round.
constexpr unsigned ALL = 0xffffffffu;
constexpr int WARPS = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * WARPS + threadIdx.y;   // the same in the whole warp
    const int col = blockIdx.x * 32 + lane;
    if (row >= N)
        return;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        const float mine = k0 + lane < N ? A[row * N + k0 + lane] : 0.0f;
        const int last = min(32, N - k0);
        for (int k = 0; k < last; ++k) {
            const float a = __shfl_sync(ALL, mine, k, 16);
            if (col < N)
                sum += a * B[(k0 + k) * N + col];
        }
    }
    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, WARPS}, .tile = {32, WARPS});
