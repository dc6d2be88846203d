#include <lab.h>

// More accurate: compensated summation (Kahan)
struct Kahan {
    float sum, comp;

    __device__ Kahan() : sum(0.0f), comp(0.0f) {}

    __device__ void add(float v)
    {
        float y = v - comp;
        float t = sum + y;
        comp = (t - sum) + y;
        sum = t;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < N && col < N) {
        Kahan acc;
        for (int k = 0; k < N; ++k)
            acc.add(A[row * N + k] * B[k * N + col]);
        C[row * N + col] = acc.sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
