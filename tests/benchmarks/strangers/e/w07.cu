#include <lab.h>

#define TILE 16

__device__ __forceinline__ void copy4(float *dst, const float *src, bool ok)
{
    unsigned d = (unsigned)__cvta_generic_to_shared(dst);
    int bytes = ok ? 4 : 0;   // 0 -> fills with zeros
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(d), "l"(src), "r"(bytes) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float s = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        bool okA = row < N && k0 + tx < N;
        bool okB = k0 + ty < N && col < N;
        copy4(&As[ty][tx], okA ? A + row * N + k0 + tx : A, okA);
        copy4(&Bs[ty][tx], okB ? B + (k0 + ty) * N + col : B, okB);
        asm volatile("cp.async.wait_all;" ::: "memory");

        for (int k = 0; k < TILE; k++)
            s += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N) C[row * N + col] = s;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
