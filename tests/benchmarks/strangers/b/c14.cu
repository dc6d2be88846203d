#include <lab.h>

#define TILE 16
#define BARRIER() asm volatile("bar.sync 0;" ::: "memory")

__device__ __forceinline__ float mad(float a, float b, float c)
{
    float d;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
    return d;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = kb < N && col < N ? B[kb * N + col] : 0.0f;
        BARRIER();
        for (int k = 0; k < TILE; ++k)
            sum = mad(As[threadIdx.y][k], Bs[k][threadIdx.x], sum);
        BARRIER();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
