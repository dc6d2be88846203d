#include <lab.h>

// Matrix multiplication kernel
// Each thread computes one element of C
// by accumulating results into Cvalue
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float Cvalue = 0;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = 0; e < N; ++e)
        Cvalue += A[row * N + e] * B[e * N + col];
    C[row * N + col] = Cvalue;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
