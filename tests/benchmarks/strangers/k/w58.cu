#include <lab.h>

// Kahan summation, for accuracy at large N
struct Kahan {
    float sum = 0.0f;
    float carry = 0.0f;

    __device__ void add(float value)
    {
        float y = value - carry;
        float t = sum + y;
        carry = (t - sum) + y;
        sum = t;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N && col < N) {
        Kahan k;
        for (int i = 0; i < N; ++i)
            k.add(A[row * N + i] * B[i * N + col]);
        C[row * N + col] = k.sum;
    }
}

LAUNCH(.block = {32, 4});
