// expect: ok
// Tells the L2 cache in inline PTX what to keep: a policy for the copies of A, another for the stores to C.
#include <lab.h>

constexpr int TILE = 16;

__device__ unsigned long long keep_all()
{
    unsigned long long policy;
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

__device__ void copy_of_A(float *to, const float *from, int bytes, unsigned long long policy)
{
    unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global.L2::cache_hint.L2::128B [%0], [%1], 4, %2, %3;" ::"r"(place), "l"(from),
                 "r"(bytes), "l"(policy)
                 : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    unsigned long long policy = keep_all(), first;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 0.5;" : "=l"(first));
    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        bool inside = row < N && k0 + x < N;
        copy_of_A(&a[y][x], inside ? A + row * N + k0 + x : A, inside ? 4 : 0, policy);
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        for (int k = 0; k < TILE && k0 + k < N; ++k)
            if (col < N)
                sum += a[y][k] * B[(k0 + k) * N + col];
        __syncthreads();
    }
    if (row < N && col < N)
        asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(C + row * N + col), "f"(sum), "l"(first)
                     : "memory");
}
LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
