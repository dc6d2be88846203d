// expect: ok
// Compensated summation after Neumaier, with the two sums in a struct.
#include <lab.h>

struct Compensated {
    float sum = 0.0f, lost = 0.0f;

    __device__ void add(float term)
    {
        float total = sum + term;
        lost += fabsf(sum) >= fabsf(term) ? (sum - total) + term : (term - total) + sum;
        sum = total;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    Compensated sum;
    for (int k = 0; k < N; ++k)
        sum.add(A[row * N + k] * B[k * N + col]);
    C[row * N + col] = sum.sum + sum.lost;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
