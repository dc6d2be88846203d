#include <lab.h>

extern "C" __global__ void
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const int col = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    const bool inside = (row <= N) && (col < N);

    if (inside)
    {
        float cumul = 0.f;
        for (int k = 0; k != N; ++k)
        {
            const float a = __ldg(&A[row * N + k]);
            const float b = __ldg(&B[k * N + col]);
            cumul = fmaf(a, b, cumul);
        }
        C[row * N + col] = cumul;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
