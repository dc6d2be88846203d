#include <lab.h>

// Basket weights x covariance: plain GEMM, k unrolled by four.
struct Quad {
    float v0, v1, v2, v3;
    __device__ float sum() const { return (v0 + v1) + (v2 + v3); }
};

extern "C" __global__ void matmul(const float* __restrict__ A, const float* __restrict__ B, float* C, int N)
{
    const int asset    = blockIdx.x * blockDim.x + threadIdx.x;
    const int scenario = blockIdx.y * blockDim.y + threadIdx.y;
    if (asset >= N || scenario >= N) return;

    Quad q{0.f, 0.f, 0.f, 0.f};
    for (int k = 0; k < N / 4 * 4; k += 4) {
        q.v0 += A[scenario * N + k + 0] * B[(k + 0) * N + asset];
        q.v1 += A[scenario * N + k + 1] * B[(k + 1) * N + asset];
        q.v2 += A[scenario * N + k + 2] * B[(k + 2) * N + asset];
        q.v3 += A[scenario * N + k + 3] * B[(k + 3) * N + asset];
    }
    float price = q.sum();
    C[scenario * N + asset] = price;
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});
