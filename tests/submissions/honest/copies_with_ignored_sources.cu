// expect: ok
// Predicates of cp.async say which sources to ignore, so that zeros are copied; a policy for the L2 cache follows A's.
#include <lab.h>
constexpr int T = 16;

__device__ unsigned place(float *shared) { return static_cast<unsigned>(__cvta_generic_to_shared(shared)); }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T], b[2][T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x, steps = (N + T - 1) / T;
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    auto load = [&](int step) {
        int s = step % 2, k = step * T;
        asm volatile("{ .reg .pred none; setp.eq.s32 none, %2, 0;"
                     "cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 4, none, %3; }" ::"r"(place(&a[s][y][x])),
                     "l"(A + row * N + k + x), "r"(int(row < N && k + x < N)), "l"(policy)
                     : "memory");
        asm volatile("{ .reg .pred none; setp.eq.s32 none, %2, 0;"
                     "cp.async.ca.shared.global [%0], [%1], 4, none; }" ::"r"(place(&b[s][y][x])),
                     "l"(B + (k + y) * N + col), "r"(int(k + y < N && col < N))
                     : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    load(0);
    float sum = 0.0f;
    for (int step = 0; step < steps; ++step) {
        load(step + 1);
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += a[step % 2][y][k] * b[step % 2][k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
LAUNCH(.block = {T, T}, .tile = {T, T});
