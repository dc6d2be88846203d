#include <lab.h>

struct KahanSum {
    float sum = 0.0f;
    float lost = 0.0f;

    __device__ KahanSum &operator+=(float value)
    {
        float y = __fsub_rn(value, lost);
        volatile float t = __fadd_rn(sum, y);
        lost = __fsub_rn(__fsub_rn(t, sum), y);
        sum = t;
        return *this;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const unsigned x = blockIdx.x * 32u + threadIdx.x;
    for (unsigned y = blockIdx.y * 32u + threadIdx.y; y < (blockIdx.y + 1) * 32u; y += blockDim.y) {
        if (x >= (unsigned)N || y >= (unsigned)N)
            break;
        KahanSum s;
        for (int k = 0; k < N; ++k)
            s += A[y * N + k] * B[k * N + x];
        C[y * N + x] = s.sum;
    }
}

LAUNCH(.block = {32, 2}, .tile = {32, 32});
