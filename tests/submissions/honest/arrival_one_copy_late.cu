// expect: ok
// A warp announces a tile when the copies of the next one have begun: it waits for all groups but the last.
#include <cuda_pipeline.h>
#include <lab.h>
constexpr int TS = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][TS][TS], b[2][TS][TS];
    int t = threadIdx.x, steps = (N + TS - 1) / TS;
    if (t < 32) {
        for (int i = 0; i < steps; ++i) {
            int s = i % 2;
            if (i >= 2) asm volatile("bar.sync %0, 288;" ::"r"(3 + s) : "memory");
            for (int j = t; j < TS * TS; j += 32) {
                int r = j / TS, c = j % TS, gr = blockIdx.y * TS + r, gc = i * TS + c, br = i * TS + r, bc = blockIdx.x * TS + c;
                bool ia = gr < N && gc < N, ib = br < N && bc < N;
                __pipeline_memcpy_async(&a[s][r][c], ia ? A + gr * N + gc : A, 4, ia ? 0 : 4);
                __pipeline_memcpy_async(&b[s][r][c], ib ? B + br * N + bc : B, 4, ib ? 0 : 4);
            }
            __pipeline_commit();
            if (i) { __pipeline_wait_prior(1); asm volatile("bar.arrive %0, 288;" ::"r"(1 + (s ^ 1)) : "memory"); }
        }
        __pipeline_wait_prior(0);
        asm volatile("bar.arrive %0, 288;" ::"r"(1 + (steps - 1) % 2) : "memory");
    } else {
        int u = t - 32, y = u / TS, x = u % TS, row = blockIdx.y * TS + y, col = blockIdx.x * TS + x;
        float sum = 0;
        for (int i = 0; i < steps; ++i) {
            int s = i % 2;
            asm volatile("bar.sync %0, 288;" ::"r"(1 + s) : "memory");
            for (int k = 0; k < TS; ++k) sum += a[s][y][k] * b[s][k][x];
            if (i + 2 < steps) asm volatile("bar.arrive %0, 288;" ::"r"(3 + s) : "memory");
        }
        if (row < N && col < N) C[row * N + col] = sum;
    }
}
LAUNCH(.block = {288}, .tile = {TS, TS});
