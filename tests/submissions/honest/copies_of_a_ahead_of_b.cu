// expect: ok
// A goes to registers and its next tile is copied while that of B is multiplied: two groups under way, in turn.
#include <cuda_pipeline.h>
#include <lab.h>
#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x, steps = (N + T - 1) / T;
    __shared__ float As[T][T], Bs[T][T];
    float sum = 0;
    auto fa = [&](int i) {
        bool ia = row < N && i * T + x < N;
        __pipeline_memcpy_async(&As[y][x], ia ? A + row * N + i * T + x : A, 4, ia ? 0 : 4);
        __pipeline_commit();
    };
    auto fb = [&](int i) {
        bool ib = col < N && i * T + y < N;
        __pipeline_memcpy_async(&Bs[y][x], ib ? B + (i * T + y) * N + col : B, 4, ib ? 0 : 4);
        __pipeline_commit();
    };
    fa(0);
    for (int i = 0; i < steps; ++i) {
        fb(i);
        __pipeline_wait_prior(1);
        __syncthreads();
        float a[T];
        for (int k = 0; k < T; ++k) a[k] = As[y][k];
        __syncthreads();
        fa(i + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < T; ++k) sum += a[k] * Bs[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
LAUNCH(.block = {T, T}, .tile = {T, T});
