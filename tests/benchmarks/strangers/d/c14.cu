#include <lab.h>

#define P 32
#define R 4

__device__ __forceinline__ float madd(float a, float b, float c)
{
    float d;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
    return d;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[P][P], b[P][P];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * P + ty, col = blockIdx.x * P + tx;
    float acc[R] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int k0 = 0; k0 < N; k0 += P) {
        if (k0 > 0)
            __syncthreads();
        for (int y = ty; y < P; y += P / R) {
            const int r = blockIdx.y * P + y;
            a[y][tx] = r < N && k0 + tx < N ? A[r * N + k0 + tx] : 0.0f;
            b[y][tx ^ y] = col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < P; ++k)
#pragma unroll
            for (int i = 0; i < R; ++i)
                acc[i] = madd(a[ty + i * (P / R)][k], b[k][tx ^ k], acc[i]);
    }

    for (int i = 0; i < R; ++i)
        if (row + i * (P / R) < N && col < N)
            C[(row + i * (P / R)) * N + col] = acc[i];
}

LAUNCH(.block = {P, P / R}, .tile = {P, P});
