#include <lab.h>

template <int BX, int BY>
__device__ void mm(const float *A, const float *B, float *C, int n)
{
    const auto i = blockIdx.y * BY + threadIdx.y;
    const auto j = blockIdx.x * BX + threadIdx.x;
    if (i < n && j < n) {
        auto s = 0;
        for (auto k = 0; k < n; k++)
            s += A[i * n + k] * B[k * n + j];
        C[i * n + j] = s;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    mm<32, 4>(A, B, C, N);
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
