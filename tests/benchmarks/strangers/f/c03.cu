#include <lab.h>

template <class T>
struct View {
    T *p;
    int n;
    struct Cell {
        T *at;
        __device__ operator float() const { return at ? *at : 0.0f; }
        __device__ const Cell &operator=(float v) const { if (at) *at = v; return *this; }
    };
    __device__ Cell operator()(int r, int c) const { return {r < n && c < n ? p + r * n + c : nullptr}; }
};

template <> __device__ const View<const float>::Cell &View<const float>::Cell::operator=(float) const { return *this; }

struct Sum {
    float v = 0.0f;
    struct Term { float a, b; };
    __device__ Sum &operator<<(Term t) { v = fmaf(t.a, t.b, v); return *this; }
};

template <int S>
struct Tile {
    float e[S][S];
    __device__ float *operator[](int i) { return e[i]; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int S = 16;
    __shared__ Tile<S> a, b;
    View<const float> va{A, N}, vb{B, N};
    View<float> vc{C, N};
    const int y = threadIdx.y, x = threadIdx.x, r = blockIdx.y * S + y, c = blockIdx.x * S + x;

    Sum sum;
    for (int k = 0; k < N; k += S) {
        a[y][x] = va(r, k + x);
        b[y][x] = vb(k + y, c);
        __syncthreads();
        for (int i = 0; i < S; ++i)
            sum << Sum::Term{a[y][i], b[i][x]};
        __syncthreads();
    }
    vc(r, c) = sum.v;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
