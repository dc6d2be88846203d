#include <lab.h>

struct RowView {
    const float *base;
    unsigned short offset;   // of the first element of the row
    unsigned short length;

    __device__ float operator[](int k) const { return base[offset + k]; }
};

struct ColumnView {
    const float *first;
    int stride;

    __device__ float operator[](int k) const { return first[k * stride]; }
};

template <typename V, typename W>
__device__ float inner(const V &v, const W &w, int n)
{
    float s = 0.0f;
    for (int k = 0; k < n; ++k)
        s += v[k] * w[k];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 32 + threadIdx.x;

    if (row < N && col < N) {
        RowView a;
        a.base = A;
        a.offset = row * N;
        a.length = N;

        ColumnView b;
        b.first = B + col;
        b.stride = N;

        C[row * N + col] = inner(a, b, N);
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
