#include <lab.h>

// Every row of threads begins at another k and wraps round.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const unsigned n = N;
    const unsigned row = blockIdx.x * 8 + threadIdx.x / 32;
    const unsigned col = blockIdx.y * 32 + threadIdx.x % 32;
    if (row >= n || col >= n)
        return;

    float lo = 0.0f, hi = 0.0f;
    unsigned k = 37u * row % n;
    for (unsigned left = n; left != 0; --left) {
        const float p = A[row * n + k] * B[k * n + col];
        if (left & 1)
            lo += p;
        else
            hi += p;
        if (++k == n)
            k = 0;
    }
    C[row * n + col] = lo + hi;
}

LAUNCH(.block = {256}, .tile = {32, 8}, .grid_x = ROWS);
