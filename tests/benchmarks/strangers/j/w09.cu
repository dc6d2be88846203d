#include <lab.h>

// Dot product of row r of the left matrix and column c of the right matrix
template <typename T>
__device__ __forceinline__ T dot(const T *left, const T *right, int r, int c, int n)
{
    T total = T(0);
    const T *p = left + (size_t)r * n;
    const T *q = right + c;
    for (int i = 0; i < n; ++i, q += n)
        total += p[i] * *q;
    return total;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x < N && y < N)
        C[y * N + x] = dot<float>(B, A, y, x, N);
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
