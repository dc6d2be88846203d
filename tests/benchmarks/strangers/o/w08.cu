#include <lab.h>

namespace {

struct Pos { int row, col; };

__device__ Pos whereAmI()
{
    Pos p;
    p.row = blockIdx.y * blockDim.y + threadIdx.y;
    p.col = blockIdx.x * blockDim.x + threadIdx.x;
    return p;
}

}  // namespace

__device__ static void accumulate(float acc, float a, float b)
{
    acc += a * b;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const Pos p = whereAmI();
    if (p.row < N && p.col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            accumulate(sum, A[p.row * N + k], B[k * N + p.col]);
        C[p.row * N + p.col] = sum;
    }
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
