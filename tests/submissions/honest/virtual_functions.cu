// expect: ok
// Chooses between two ways to multiply and add by a virtual function.
#include <lab.h>

struct Op {
    __device__ virtual float apply(float a, float b, float s) const = 0;
};
struct Fma : Op {
    __device__ float apply(float a, float b, float s) const override { return fmaf(a, b, s); }
};
struct MulAdd : Op {
    __device__ float apply(float a, float b, float s) const override { return __fadd_rn(__fmul_rn(a, b), s); }
};
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    Fma f;
    MulAdd m;
    const Op *op = (threadIdx.x & 1) ? (const Op *)&f : (const Op *)&m;
    float s = 0;
    for (int k = 0; k < N; ++k)
        s = op->apply(A[row * N + k], B[k * N + col], s);
    C[row * N + col] = s;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
