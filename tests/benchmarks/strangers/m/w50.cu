#include <lab.h>

#define ALL 0xffffffff

// The 32 lanes of a warp hold 32 elements of a row of A, and pass them round.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int lane = threadIdx.x;
    int col = blockIdx.x * 32 + lane;
    int row = blockIdx.y * 4 + threadIdx.y;
    if (row >= N) return;
    if (col >= N) return;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        float mine = k0 + lane < N ? A[row * N + k0 + lane] : 0.0f;
        for (int j = 0; j < 32; j++) {
            float a = __shfl_sync(ALL, mine, j);
            if (k0 + j < N && col < N)
                sum += a * B[(k0 + j) * N + col];
        }
    }
    if (col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
