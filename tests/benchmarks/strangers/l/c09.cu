// The full steps are unrolled by the compiler through a recursive template; the rest of K is a loop of its own.
#include <lab.h>

constexpr int S = 24;

template <int K>
__device__ __forceinline__ float dot(const float *a, const float *b)
{
    if constexpr (K == 0)
        return 0.0f;
    else
        return dot<K - 1>(a, b) + a[K - 1] * b[(K - 1) * S];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[S * S], b[S * S];
    const int x = threadIdx.x, y = threadIdx.y;
    // rows and columns past the edge repeat the last one; their results are thrown away
    const int row = blockIdx.y * S + y, col = blockIdx.x * S + x;
    int ia = min(row, N - 1) * N + x;
    int ib = y * N + min(col, N - 1);

    float sum = 0.0f;
    for (int full = N / S; full > 0; --full, ia += S, ib += S * N) {
        a[y * S + x] = A[ia];
        b[y * S + x] = B[ib];
        __syncthreads();
        sum += dot<S>(a + y * S, b + x);
        __syncthreads();
    }

    const int rest = N % S;
    if (rest != 0) {
        if (x < rest)
            a[y * S + x] = A[ia];
        if (y < rest)
            b[y * S + x] = B[ib];
        __syncthreads();
        for (int k = 0; k < rest; ++k)
            sum += a[y * S + k] * b[k * S + x];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {S, S}, .tile = {S, S});
