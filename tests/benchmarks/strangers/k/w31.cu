#include <lab.h>

template <typename T, int E>
struct SharedTile {
    T v[E][E + 1];
    __device__ T &operator()(int i, int j) { return v[i][j]; }
    __device__ void load(const T *src, int r, int c, int n)
    {
        v[threadIdx.y][threadIdx.x] = (r < n && c < n) ? src[r * n + c] : T(0);
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int E = 16;
    __shared__ SharedTile<float, E> left, right;

    int row = blockIdx.y * E + threadIdx.y;
    int col = blockIdx.x * E + threadIdx.x;
    float acc = 0.0f;

    for (int s = 0; s < N; s += E) {
        __syncthreads();  // nobody may still be using the old tiles
        left.load(A, row, s + threadIdx.x, N);
        right.load(B, s + threadIdx.y, col, N);
        for (int k = 0; k < E; ++k)
            acc += left(threadIdx.y, k) * right(k, threadIdx.x);
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {16, 16});
