#include <lab.h>

constexpr int T = 16;

template <int K>
struct Dot {
    static __device__ __forceinline__ float of(const float (&a)[T][T + 1], const float (&b)[T][T + 1], float s)
    {
        s = Dot<K - 1>::of(a, b, s);
        return fmaf(a[threadIdx.y][K - 1], b[K - 1][threadIdx.x], s);
    }
};

template <>
struct Dot<0> {
    static __device__ __forceinline__ float of(const float (&)[T][T + 1], const float (&)[T][T + 1], float s) { return s; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T + 1];
    __shared__ float b[T][T + 1];

    const int row = blockIdx.y * T + threadIdx.y;
    const int col = blockIdx.x * T + threadIdx.x;

    float sum = 0.0f;
    int k0 = 0;
    do {
        const int ka = k0 + threadIdx.x;
        const int kb = k0 + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        b[threadIdx.y][threadIdx.x] = (col < N && kb < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        sum = Dot<T>::of(a, b, sum);
        __syncthreads();
        k0 += T;
    } while (k0 < N);

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T});
