// expect: ok
// Four columns at a time, as a class with operators; reads of B beyond the edge give zero.
#include <lab.h>

struct Vec4 {
    float x[4];
    __device__ Vec4 operator*(float s) const
    {
        Vec4 r;
        for (int i = 0; i < 4; ++i)
            r.x[i] = x[i] * s;
        return r;
    }
    __device__ Vec4 &operator+=(const Vec4 &o)
    {
        for (int i = 0; i < 4; ++i)
            x[i] += o.x[i];
        return *this;
    }
    __device__ float &operator[](int i) { return x[i]; }
};
struct View {
    const float *p;
    int n;
    struct Row {
        const float *p;
        int n;
        bool in;
        __device__ float operator[](int c) const { return in && c < n ? p[c] : 0.f; }
    };
    __device__ Row operator[](int r) const { return Row{p + (size_t)r * n, n, r < n}; }
    __device__ float operator()(int r, int c) const { return (*this)[r][c]; }
};
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    View a{A, N}, b{B, N};
    int row = blockIdx.y * 16 + threadIdx.y, col = (blockIdx.x * 16 + threadIdx.x) * 4;
    Vec4 s{};
    for (int k = 0; k < N; ++k) {
        Vec4 v;
        for (int i = 0; i < 4; ++i)
            v[i] = b[k][col + i];
        s += v * a(row, k);
    }
    for (int i = 0; i < 4; ++i)
        if (row < N && col + i < N)
            C[row * N + col + i] = s[i];
}
LAUNCH(.block = {16, 16}, .tile = {64, 16});
