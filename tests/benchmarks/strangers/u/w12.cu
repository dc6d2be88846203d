#include <lab.h>

// inner product of a contiguous vector and one with stride n
__device__ float dot(const float *u, const float *v, int n)
{
    float d = 0.0f;
    for (int k = 0; k < n; ++k) {
        d += *u * *v;
        u += 1;
        v += n;
    }
    return d;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    if (j >= N) return;
    C[i + static_cast<size_t>(j) * N] = dot(A + static_cast<size_t>(i) * N, B + j, N);
}

LAUNCH(.block = {16, 8}, .tile = {16, 8});
