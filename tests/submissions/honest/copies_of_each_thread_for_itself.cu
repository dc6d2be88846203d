// expect: ok
// Every thread copies the elements that it multiplies itself, so that its own wait is enough and no barrier is needed.
#include <cuda_pipeline.h>
#include <lab.h>
#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x, steps = (N + T - 1) / T;
    __shared__ float mine[2][2][T * T];
    int t = y * T + x;
    float sum = 0;
    if (row < N && col < N) {
        __pipeline_memcpy_async(&mine[0][0][t], A + row * N, 4);
        __pipeline_memcpy_async(&mine[0][1][t], B + col, 4);
        __pipeline_commit();
        for (int k = 0; k < N; ++k) {
            int n = k & 1;
            if (k + 1 < N) {
                __pipeline_memcpy_async(&mine[n ^ 1][0][t], A + row * N + k + 1, 4);
                __pipeline_memcpy_async(&mine[n ^ 1][1][t], B + (k + 1) * N + col, 4);
            }
            __pipeline_commit();
            __pipeline_wait_prior(1);
            sum += mine[n][0][t] * mine[n][1][t];
        }
        C[row * N + col] = sum;
    }
}
LAUNCH(.block = {T, T}, .tile = {T, T});
