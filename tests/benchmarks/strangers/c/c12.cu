// Templates all the way down
#include <lab.h>

template <int T> struct Tile {
    float v[T][T];
    __device__ float &operator()(int y, int x) { return v[y][x]; }
    template <typename F> __device__ void fill(F f)
    {
        (*this)(threadIdx.y, threadIdx.x) = f(int(threadIdx.y), int(threadIdx.x));
    }
};

struct View {
    const float *p;
    int n;
    __device__ float operator()(int r, int c) const { return r < n && c < n ? p[r * n + c] : 0.0f; }
};

template <int K, int T> __device__ float product(Tile<T> &a, Tile<T> &b)
{
    if constexpr (K == 0)
        return 0.0f;
    else
        return product<K - 1>(a, b) + a(threadIdx.y, K - 1) * b(K - 1, threadIdx.x);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int T = 8;
    __shared__ Tile<T> a, b;
    const View va{A, N}, vb{B, N};
    const int y0 = blockIdx.y * T, x0 = blockIdx.x * T;
    float s = 0.0f;
    for (int k0 = 0; k0 < N; k0 += T) {
        a.fill([=](int y, int x) { return va(y0 + y, k0 + x); });
        b.fill([=](int y, int x) { return vb(k0 + y, x0 + x); });
        __syncthreads();
        s += product<T>(a, b);
        __syncthreads();
    }
    const int y = y0 + threadIdx.y, x = x0 + threadIdx.x;
    if (y < N && x < N)
        C[y * N + x] = s;
}

LAUNCH(.block = {8, 8}, .tile = {8, 8});
