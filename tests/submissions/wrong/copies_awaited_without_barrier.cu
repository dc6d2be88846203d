// expect: data-race; lines: 14, 21; says: put a __syncthreads() between the wait and line 21
// Every thread waits for its own copies in time, but no barrier says that the others have waited, too.
#include <cuda_pipeline.h>
#include <lab.h>
#define T 16
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x, steps = (N + T - 1) / T;
    __shared__ float As[2][T][T], Bs[2][T][T];
    float sum = 0;
    auto load = [&](int s, int i) {
        bool ia = row < N && i * T + x < N, ib = col < N && i * T + y < N;
        __pipeline_memcpy_async(&As[s][y][x], ia ? A + row * N + i * T + x : A, 4, ia ? 0 : 4);
        __pipeline_memcpy_async(&Bs[s][y][x], ib ? B + (i * T + y) * N + col : B, 4, ib ? 0 : 4);
        __pipeline_commit();
    };
    load(0,0);
    for (int i = 0; i < steps; ++i) {
        load((i+1)%2, i+1);
        __pipeline_wait_prior(1);
        for (int k = 0; k < T; ++k) sum += As[i%2][y][k] * Bs[i%2][k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
LAUNCH(.block = {T, T}, .tile = {T, T});
