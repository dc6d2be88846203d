#include <lab.h>

// backwards, with compensated summation, in blocks of an odd shape
extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const unsigned n = N;
    const unsigned row = blockIdx.x * 7u + threadIdx.x;
    const unsigned col = blockIdx.y * 35u + threadIdx.y * 7u + threadIdx.z;
    if (row >= n || col >= n) return;

    float sum = 0.0f, lost = 0.0f;
    for (unsigned k = n; k-- > 0;) {
        float term = A[row * n + k] * B[k * n + col] - lost;
        float next = __fadd_rn(sum, term);
        lost = __fsub_rn(__fsub_rn(next, sum), term);
        sum = next;
    }
    C[row * n + col] = sum;
}

LAUNCH(.block = {7, 5, 7}, .tile = {35, 7}, .grid_x = ROWS);
