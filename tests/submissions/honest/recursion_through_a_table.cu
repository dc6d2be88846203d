// expect: ok
// Halves a sum until it is short: a table of functions chooses who goes on, and one of them calls through it again.
#include <lab.h>
typedef float (*F)(const float *, const float *, int, int);
__device__ float leaf(const float *a, const float *b, int n, int ld) { float s = 0; for (int i = 0; i < n; ++i) s += a[i] * b[i * ld]; return s; }
__device__ float split(const float *a, const float *b, int n, int ld);
__device__ F table[2] = {leaf, split};
__device__ float split(const float *a, const float *b, int n, int ld) { int h = n / 2; return table[h > 16](a, b, h, ld) + table[n - h > 16](a + h, b + h * ld, n - h, ld); }
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) C[row * N + col] = table[N > 16](A + row * N, B + col, N, N);
}
