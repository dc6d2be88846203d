#include <lab.h>

#define ALL_LANES 0xFFFFFFFFu

// A warp computes 32 elements of one row. The lanes load 32 elements of A together and pass them round.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    int col = blockIdx.x * 32 + lane;
    if (row >= N)
        return;  // same for the whole warp

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        float mine = k0 + lane < N ? A[row * N + k0 + lane] : 0.0f;
        int count = min(32, N - k0);
        if (col < N) {
            for (int src = 0; src < count; ++src) {
                float bv = B[(k0 + src) * N + col];
                acc += __shfl_sync(ALL_LANES, mine, src) * bv;
            }
        }
    }
    if (col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {32, 8});
