#include <lab.h>

// scalar product of a row of A and a column of B
__device__ float rowTimesColumn(float *row, float *column, int n)
{
    float s = 0.0f;
    for (int k = 0; k < n; k++) {
        s += row[k] * column[k * n];
    }
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int j = blockIdx.x * 16 + threadIdx.x;
    int i = blockIdx.y * 16 + threadIdx.y;
    if (i < N && j < N)
        C[i * N + j] = rowTimesColumn(A + i * N, B + j, N);
}

LAUNCH(.block = {16, 16});
