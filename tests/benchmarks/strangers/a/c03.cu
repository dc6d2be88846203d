#include <lab.h>

struct Kahan {
    float sum, carry;
    __device__ Kahan() : sum(0.0f), carry(0.0f) {}
    __device__ void add(float x)
    {
        float y = __fsub_rn(x, carry);
        float t = __fadd_rn(sum, y);
        carry = __fsub_rn(__fsub_rn(t, sum), y);
        sum = t;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (!(row < N && col < N))
        return;
    Kahan total;
    for (int k = 0; k < N; ++k)
        total.add(A[row * N + k] * B[k * N + col]);
    C[row * N + col] = total.sum;
}

LAUNCH(.block = {64, 4});
