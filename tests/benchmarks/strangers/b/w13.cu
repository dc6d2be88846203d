#include <lab.h>

__device__ float dotProduct(const float *rowOfA, const float *colOfB, int n)
{
    float s = rowOfA[0] * colOfB[0];
    for (int k = 0; k < n; k++) {
        s = fmaf(rowOfA[k], colOfB[(size_t)k * n], s);
    }
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockDim.x * blockIdx.x + threadIdx.x;
    int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x < N && y < N)
        C[y * N + x] = dotProduct(A + y * N, B + x, N);
}

LAUNCH(.block = {64, 4});
