#include <lab.h>
#include <utility>

template <int... K>
using Steps = std::integer_sequence<int, K...>;

template <int T>
struct Matmul {
    using Square = float[T][T];

    template <int... K>
    static __device__ float dot(const Square &a, const Square &b, int y, int x, Steps<K...>)
    {
        return (... + (a[y][K] * b[K][x]));
    }

    static __device__ void run(const float *A, const float *B, float *C, int N)
    {
        __shared__ Square a, b;
        const int x = threadIdx.x % T, y = threadIdx.x / T;
        const int col = blockIdx.x * T + x, row = blockIdx.y * T + y;

        float value = 0.0f;
        for (int left = N, k0 = 0; left > 0; left -= T, k0 += T) {
            a[y][x] = (row < N && x < left) ? A[row * N + k0 + x] : 0.0f;
            b[y][x] = (col < N && y < left) ? B[(k0 + y) * N + col] : 0.0f;
            __syncthreads();
            value += dot(a, b, y, x, std::make_integer_sequence<int, T>{});
            __syncthreads();
        }
        if (row < N && col < N)
            C[row * N + col] = value;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) { Matmul<12>::run(A, B, C, N); }

LAUNCH(.block = {12 * 12}, .tile = {12, 12});
