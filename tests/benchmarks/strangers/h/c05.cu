#include <lab.h>

template <typename T>
struct Matrix {
    T *data;
    int n;
    __device__ T get(int r, int c) const { return r < n && c < n ? data[r * n + c] : T(0); }
    __device__ void set(int r, int c, T value) const
    {
        if (r < n && c < n)
            data[r * n + c] = value;
    }
};

template <int K>
struct Dot {
    template <typename F>
    static __device__ float run(F f) { return Dot<K - 1>::run(f) + f(K - 1); }
};

template <>
struct Dot<0> {
    template <typename F>
    static __device__ float run(F) { return 0.0f; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int B_ = 16;
    __shared__ float a[B_][B_ + 1], b[B_][B_ + 1];

    const Matrix<const float> left{A, N}, right{B, N};
    const Matrix<float> out{C, N};
    const int i = threadIdx.y, j = threadIdx.x;
    const int r = blockIdx.y * B_ + i, c = blockIdx.x * B_ + j;

    float sum = 0.0f;
    for (int k = 0; k < N; k += B_) {
        a[i][j] = left.get(r, k + j);
        b[j][i] = right.get(k + i, c);
        __syncthreads();
        sum += Dot<B_>::run([&](int m) { return a[i][m] * b[j][m]; });
        __syncthreads();
    }
    out.set(r, c, sum);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
