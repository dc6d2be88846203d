// expect: ok
// Grid-stride loops with 64-bit indices: correct for any grid, even for one block.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const size_t n = N;
    const size_t row_step = static_cast<size_t>(gridDim.y) * blockDim.y;
    const size_t col_step = static_cast<size_t>(gridDim.x) * blockDim.x;

    for (size_t row = blockIdx.y * blockDim.y + threadIdx.y; row < n; row += row_step)
        for (size_t col = blockIdx.x * blockDim.x + threadIdx.x; col < n; col += col_step) {
            float sum = 0.0f;
            for (size_t k = 0; k < n; ++k)
                sum += A[row * n + k] * B[k * n + col];
            C[row * n + col] = sum;
        }
}

LAUNCH(.block = {16, 8}, .tile = {64, 32});
