// expect: ok
// Two functions that call each other in turn, one term each, 20 deep.
#include <lab.h>
__device__ float odd(const float *a, const float *b, int n, int ld);
__device__ __noinline__ float even(const float *a, const float *b, int n, int ld) { return n == 0 ? 0 : *a * *b + odd(a + 1, b + ld, n - 1, ld); }
__device__ __noinline__ float odd(const float *a, const float *b, int n, int ld) { return n == 0 ? 0 : even(a + 1, b + ld, n - 1, ld) + *a * *b; }
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) { float s = 0; for (int k = 0; k < N; k += 20) s += even(A + row * N + k, B + k * N + col, min(20, N - k), N); C[row * N + col] = s; }
}
