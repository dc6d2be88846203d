#include <lab.h>

template <int T>
__device__ float tile_product(const float (&a)[T][T], const float (&b)[T][T], int y, int x)
{
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < T; ++k)
        s += a[y][k] * b[k][x];
    return s;
}

constexpr int T = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T], b[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y;
    const int col = blockIdx.x * T + x;

    if (row >= N || col >= N) return;

    float sum = 0.0f;
    for (int t = 0; t < N; t += T) {
        a[y][x] = row < N && t + x < N ? A[row * N + t + x] : 0.0f;
        b[y][x] = col < N && t + y < N ? B[(t + y) * N + col] : 0.0f;
        __syncthreads();
        sum += tile_product<T>(a, b, y, x);
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {T, T});
