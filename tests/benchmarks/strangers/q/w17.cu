#include <lab.h>

// Numerical Methods II, homework 4: matrix product with compensated summation.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N || j >= N) return;

    float sum = 0.0f, comp = 0.0f;
    for (int k = 0; k < N; ++k) {
        const float prod = __fmul_rn(A[i * N + k], B[k * N + j]);
        const float y = __fsub_rn(prod, comp);
        const float t = __fadd_rn(sum, y);
        comp = __fadd_rn(__fsub_rn(t, sum), y);
        sum = t;
    }
    C[i * N + j] = sum;
}

LAUNCH(.block = {16, 8}, .tile = {16, 8});
