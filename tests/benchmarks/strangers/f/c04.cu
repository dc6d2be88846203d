#include <lab.h>

// divide and conquer over k; real recursion, depth log2(N)
__device__ __noinline__ float tree(const float *a, const float *b, int n, int ld)
{
    if (n < 12) {
        float s = 0.0f;
        while (n-- > 0)
            s += a[n] * b[n * ld];
        return s;
    }
    const int h = n >> 1;
    return tree(a, b, h, ld) + tree(a + h, b + h * ld, n - h, ld);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // 1-D block: element number -> (row, column) of a 16 x 4 tile
    const int e = threadIdx.x;
    const int row = blockIdx.y * 4 + e / 16;
    const int col = blockIdx.x * 16 + e % 16;
    if (row < N && col < N)
        C[row * N + col] = tree(A + row * N, B + col, N, N);
}

LAUNCH(.block = {64}, .tile = {16, 4});
