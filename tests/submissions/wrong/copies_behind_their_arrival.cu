// expect: data-race; lines: 25, 31; says: or the arrival that the wait is for
// The copies of A arrive at the mbarrier, and those of B are started behind that arrival.
#include <lab.h>
#define T 16

__device__ void wait(unsigned bar, int parity)
{
    asm volatile("{ .reg .pred p; L: mbarrier.test_wait.parity.shared.b64 p, [%0], %1; @!p bra L; }" ::"r"(bar), "r"(parity) : "memory");
}
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x, steps = (N + T - 1) / T;
    __shared__ float As[2][T][T], Bs[2][T][T];
    __shared__ unsigned long long bars[2];
    unsigned b = __cvta_generic_to_shared(bars);
    int t = y * T + x;
    if (t < 2) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b + 8 * t), "r"(T * T) : "memory");
    __syncthreads();
    float sum = 0;
    auto load = [&](int i) {
        int s = i & 1;
        int ia = row < N && i * T + x < N, ib = col < N && i * T + y < N;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"((unsigned)__cvta_generic_to_shared(&As[s][y][x])), "l"(ia ? A + row * N + i * T + x : A), "r"(ia * 4) : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(b + 8 * s) : "memory");
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"((unsigned)__cvta_generic_to_shared(&Bs[s][y][x])), "l"(ib ? B + (i * T + y) * N + col : B), "r"(ib * 4) : "memory");
    };
    load(0);
    for (int i = 0; i < steps; ++i) {
        load(i + 1);
        wait(b + 8 * (i & 1), i / 2 & 1);
        for (int k = 0; k < T; ++k) sum += As[i & 1][y][k] * Bs[i & 1][k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
LAUNCH(.block = {T, T}, .tile = {T, T});
