#include <lab.h>

#define TS 16

// 4-byte cp.async; writes 0 if !ok
__device__ __forceinline__ void copy4(float *dst, const float *src, bool ok)
{
    unsigned int d = (unsigned int)__cvta_generic_to_shared(dst);
    int bytes = ok ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::"r"(d), "l"(src), "r"(bytes) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[TS][TS];
    __shared__ float sb[TS][TS];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TS + ty;
    int col = blockIdx.x * TS + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TS) {
        bool okA = row < N && k0 + tx < N;
        bool okB = col < N && k0 + ty < N;
        copy4(&sa[ty][tx], okA ? A + row * N + k0 + tx : A, okA);
        copy4(&sb[ty][tx], okB ? B + (k0 + ty) * N + col : B, okB);
        asm volatile("cp.async.commit_group;\n" ::: "memory");
        __syncthreads();

        for (int k = 0; k < TS; ++k)
            acc += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
