#include <lab.h>

constexpr int WARP = 32;
constexpr int NWARPS = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a_row[NWARPS][WARP];   // each warp has its own row
    __shared__ float b_rows[NWARPS][WARP];

    int lane = threadIdx.x;
    int warp = threadIdx.y;
    int row = blockIdx.y * NWARPS + warp;
    int col = blockIdx.x * WARP + lane;

    float res = 0.0f;
    for (int k0 = 0; k0 < N; k0 += NWARPS) {
        if (lane < NWARPS)
            a_row[warp][lane] = (row < N && k0 + lane < N) ? A[row * N + k0 + lane] : 0.0f;
        b_rows[warp][lane] = (k0 + warp < N && col < N) ? B[(k0 + warp) * N + col] : 0.0f;
        __syncwarp();          // wait for the loads

        for (int k = 0; k < NWARPS; ++k)
            res += a_row[warp][k] * b_rows[k][lane];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = res;
}

LAUNCH(.block = {WARP, NWARPS}, .tile = {WARP, NWARPS});
