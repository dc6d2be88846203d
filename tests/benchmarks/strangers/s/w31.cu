#include <lab.h>

/* mnozenie macierzy, druga proba (szybciej: const __restrict__) */
extern "C" __global__ void matmul(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int N)
{
    const int x = threadIdx.x + blockDim.x * blockIdx.x, y = threadIdx.y + blockDim.y * blockIdx.y;
    float s = 0;
    if (x < N && y < N)
    {
        for (int i = 0, ia = y * N, ib = x; i < N; ++i, ++ia, ib += N)
            s += A[ia] * B[ib];
        C[x * N + y] = s;
    }
}

LAUNCH(.block = {16, 16});
