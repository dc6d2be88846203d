// expect: data-race; lines: 31, 43; says: call __syncwarp() before that
// The first lane of each multiplying warp returns the stage for all lanes, without waiting for them.
#include <lab.h>
#define T 16
__device__ void wait(unsigned bar, int parity)
{
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @p bra D; bra L; D: }" ::"r"(bar), "r"(parity) : "memory");
}
__device__ void arrive(unsigned bar)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar) : "memory");
}
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][T][T], Bs[2][T][T];
    __shared__ unsigned long long full[2], empty[2];
    int t = threadIdx.x;
    unsigned f = __cvta_generic_to_shared(full), e = __cvta_generic_to_shared(empty);
    if (t < 2) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(f + 8 * t));
        asm volatile("mbarrier.init.shared.b64 [%0], 8;" ::"r"(e + 8 * t));
    }
    __syncthreads();
    int tiles = (N + T - 1) / T;
    if (t < 32) {
        for (int i = 0; i < tiles; ++i) {
            int s = i % 2, parity = i / 2 % 2;
            wait(e + 8 * s, parity ^ 1);
            for (int j = t; j < T * T; j += 32) {
                int y = j / T, x = j % T, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
                As[s][y][x] = row < N && i * T + x < N ? A[row * N + i * T + x] : 0;
                Bs[s][y][x] = col < N && i * T + y < N ? B[(i * T + y) * N + col] : 0;
            }
            arrive(f + 8 * s);
        }
    } else {
        int y = (t - 32) / T, x = t % T, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
        float sum = 0;
        for (int i = 0; i < tiles; ++i) {
            int s = i % 2, parity = i / 2 % 2;
            wait(f + 8 * s, parity);
            for (int k = 0; k < T; ++k)
                sum += As[s][y][k] * Bs[s][k][x];
            if (t % 32 == 0)
                arrive(e + 8 * s);
        }
        if (row < N && col < N)
            C[row * N + col] = sum;
    }
}
LAUNCH(.block = {288}, .tile = {T, T});
