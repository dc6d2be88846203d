#include <lab.h>

template <int T>
__device__ __forceinline__ void multiplyTile(const float (&a)[T][T], const float (&b)[T][T], float acc)
{
#pragma unroll
    for (int k = 0; k < T; ++k)
        acc += a[threadIdx.y][k] * b[k][threadIdx.x];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int T = 16;
    __shared__ float a[T][T];
    __shared__ float b[T][T];
    const int row = blockIdx.y * T + threadIdx.y;
    const int col = blockIdx.x * T + threadIdx.x;

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += T) {
        const int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        b[threadIdx.y][threadIdx.x] = kb < N && col < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
        multiplyTile<T>(a, b, acc);
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {16, 16});
