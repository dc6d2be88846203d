#include <lab.h>

constexpr unsigned EVERYONE = ~0u;
constexpr int RPW = 4;      // rows of C per warp

// No shared memory: lane i holds element k0 + i of each row of A, and all lanes hear it by shuffle.
extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int col = blockIdx.x * 32 + lane;
    const int row0 = (blockIdx.y * (blockDim.x >> 5) + warp) * RPW;

    if (row0 >= N)
        return;     // the same for all lanes of a warp, and there is no barrier in this kernel

    float acc[RPW] = {};
    for (int k0 = 0; k0 < N; k0 += 32) {
        float mine[RPW];
#pragma unroll
        for (int r = 0; r < RPW; ++r)
            mine[r] = (row0 + r < N && k0 + lane < N) ? A[(row0 + r) * N + k0 + lane] : 0.0f;

        const int stop = min(32, N - k0);
        for (int i = 0; i < stop; ++i) {
            const float b = col < N ? B[(k0 + i) * N + col] : 0.0f;
#pragma unroll
            for (int r = 0; r < RPW; ++r)
                acc[r] += __shfl_sync(EVERYONE, mine[r], i) * b;
        }
    }

    if (col < N)
        for (int r = 0; r < RPW && row0 + r < N; ++r)
            C[(row0 + r) * N + col] = acc[r];
}

LAUNCH(.block = {128}, .tile = {32, 4 * RPW});
