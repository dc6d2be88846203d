// expect: data-race; lines: 11, 32; says: __pipeline_commit()
// Double buffering with asynchronous copies, of which only the first stage is committed as a group.
#include <cuda_pipeline.h>
#include <lab.h>

#define T 16

__device__ void fetch(float *to, const float *matrix, int row, int col, int N)
{
    bool inside = row < N && col < N;
    __pipeline_memcpy_async(to, inside ? matrix + row * N + col : matrix, 4, inside ? 0 : 4);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][T][T], Bs[2][T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    int steps = (N + T - 1) / T;
    fetch(&As[0][y][x], A, row, x, N);
    fetch(&Bs[0][y][x], B, y, col, N);
    __pipeline_commit();
    float sum = 0.0f;
    for (int step = 0; step < steps; ++step) {
        __pipeline_wait_prior(0);
        __syncthreads();
        int now = step % 2, next = 1 - now;
        if (step + 1 < steps) {
            fetch(&As[next][y][x], A, row, (step + 1) * T + x, N);
            fetch(&Bs[next][y][x], B, (step + 1) * T + y, col, N);
        }
        for (int k = 0; k < T; ++k)
            sum += As[now][y][k] * Bs[now][k][x];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
