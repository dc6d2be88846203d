#include <lab.h>

// compensated summation: the rounding errors of float add up otherwise (course on numerics)
struct Neumaier {
    float s, e;
    __device__ Neumaier() : s(0.0f), e(0.0f) {}
    __device__ void add(float v) {
        float t = s + v;
        e += (fabsf(s) >= fabsf(v)) ? (s - t) + v : (v - t) + s;
        s = t;
    }
    __device__ float value() const { return s + e; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const unsigned long long n = N;
    const unsigned long long x = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    const unsigned long long y = blockIdx.y * (unsigned long long)blockDim.y + threadIdx.y;

    if (x < n && y < n) {
        Neumaier sum;
        for (unsigned long long k = 0; k < n; ++k)
            sum.add(A[y * n + k] * B[k * n + x]);
        C[y * n + x] = sum.value();
    }
}

LAUNCH(.block = {16, 16});
