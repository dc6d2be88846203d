// expect: data-race; lines: 13, 37; says: Line 13 copies into a tile that line 37 has yet to read
// Copies run two steps ahead, as in a ring of three stages, but there are two stages only.
#include <cuda_pipeline.h>
#include <lab.h>

#define T 16
#define STAGES 2
#define AHEAD 2

__device__ void fetch(float *to, const float *matrix, int row, int col, int N)
{
    bool inside = row < N && col < N;
    __pipeline_memcpy_async(to, inside ? matrix + row * N + col : matrix, 4, inside ? 0 : 4);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[STAGES][T][T], Bs[STAGES][T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    int steps = (N + T - 1) / T;
    for (int s = 0; s < AHEAD; ++s) {
        fetch(&As[s % STAGES][y][x], A, row, s * T + x, N);
        fetch(&Bs[s % STAGES][y][x], B, s * T + y, col, N);
        __pipeline_commit();
    }
    float sum = 0.0f;
    for (int step = 0; step < steps; ++step) {
        __pipeline_wait_prior(AHEAD - 1);
        __syncthreads();
        int ahead = step + AHEAD, into = ahead % STAGES, now = step % STAGES;
        if (ahead < steps) {
            fetch(&As[into][y][x], A, row, ahead * T + x, N);
            fetch(&Bs[into][y][x], B, ahead * T + y, col, N);
        }
        __pipeline_commit();
        for (int k = 0; k < T; ++k)
            sum += As[now][y][k] * Bs[now][k][x];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
