#include <lab.h>

// A window into a row-major matrix, like a submatrix in the lecture
struct Window
{
    const float *origin;
    int height, width;   // what is inside of the matrix
    int stride;

    __device__ Window(const float *m, int n, int r0, int c0, int size)
        : origin(m + r0 * n + c0), height(min(size, n - r0)), width(min(size, n - c0)), stride(n)
    {
    }
    __device__ float operator()(int r, int c) const
    {
        if (r >= height || c >= width)
            return 0.0f;
        return origin[r * width + c];
    }
};

#define SZ 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[SZ][SZ];
    __shared__ float b[SZ][SZ];
    const int r0 = blockIdx.y * SZ, c0 = blockIdx.x * SZ;
    const int r = threadIdx.y, c = threadIdx.x;

    float dot = 0;
    for (int k0 = 0; k0 < N; k0 += SZ) {
        const Window wa(A, N, r0, k0, SZ);
        const Window wb(B, N, k0, c0, SZ);
        a[r][c] = wa(r, c);
        b[r][c] = wb(r, c);
        __syncthreads();
        for (int k = 0; k < SZ; ++k)
            dot += a[r][k] * b[k][c];
        __syncthreads();
    }
    if (r0 + r < N && c0 + c < N)
        C[(r0 + r) * N + c0 + c] = dot;
}

LAUNCH(.block = {SZ, SZ}, .tile = {SZ, SZ});
