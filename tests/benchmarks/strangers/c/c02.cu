// Written for column-major matrices: there, the memory of A is A transposed, and so on. It computes
// transpose(C) = transpose(B) * transpose(A), which is the row-major C = A * B.
#include <lab.h>

#define BX 8
#define BY 32
#define IX(m, i, j) (m)[(i) + (j) * N]  // column-major

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int j = blockIdx.x * BX + threadIdx.y;  // column of transpose(C)
    int i = blockIdx.y * BY + threadIdx.x;
    if (i < N && j < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += IX(B, i, k) * IX(A, k, j);
        IX(C, i, j) = sum;
    }
}

LAUNCH(.block = {BY, BX}, .tile = {BY, BX}, .grid_x = ROWS);
