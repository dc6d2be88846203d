// expect: data-race; lines: 12, 21; says: use another buffer, which takes one more
// Starts the copies of A two steps ahead, but has only two buffers for them: the next tile but one replaces the present one.
#include <cuda_pipeline.h>
#include <lab.h>
constexpr int TS = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TS + y, col = blockIdx.x * TS + x, steps = (N + TS - 1) / TS;
    __shared__ float a[2][TS][TS], b[2][TS][TS];
    float sum = 0;
    auto fa = [&](int i) { bool in = row < N && i * TS + x < N; __pipeline_memcpy_async(&a[i % 2][y][x], in ? A + row * N + i * TS + x : A, 4, in ? 0 : 4); };
    auto fb = [&](int i) { bool in = col < N && i * TS + y < N; __pipeline_memcpy_async(&b[i % 2][y][x], in ? B + (i * TS + y) * N + col : B, 4, in ? 0 : 4); };
    fa(0); fb(0); __pipeline_commit();
    fa(1); __pipeline_commit();
    for (int i = 0; i < steps; ++i) {
        fb(i + 1); fa(i + 2);
        __pipeline_commit();
        if (i == 0) __pipeline_wait_prior(2); else __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < TS; ++k) sum += a[i % 2][y][k] * b[i % 2][k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
