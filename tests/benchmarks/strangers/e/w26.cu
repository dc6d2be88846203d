#include <lab.h>

#define BX 32
#define BY 8

// each thread computes 2 rows, keeps registers low
extern "C" __global__ void
__launch_bounds__(128)
matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int row = blockIdx.y * 2 * BY + threadIdx.y;
    bool first = row < N && col < N;
    bool second = row + BY < N && col < N;

    float x = 0.0f, y = 0.0f;
    for (int k = 0; k < N; ++k) {
        float b = col < N ? B[k * N + col] : 0.0f;
        if (first) x += A[row * N + k] * b;
        if (second) y += A[(row + BY) * N + k] * b;
    }
    if (first) C[row * N + col] = x;
    if (second) C[(row + BY) * N + col] = y;
}

LAUNCH(.block = {BX, BY}, .tile = {BX, 2 * BY});
