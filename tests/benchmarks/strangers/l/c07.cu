// Compensated dot product (Ogita, Rump, Oishi): as if computed in twice the precision.
#include <lab.h>

struct Pair
{
    float hi, lo;
};

__device__ __forceinline__ Pair operator+(Pair p, Pair q)
{
    const float s = __fadd_rn(p.hi, q.hi);
    const float z = __fsub_rn(s, p.hi);
    const float e = __fadd_rn(__fsub_rn(p.hi, __fsub_rn(s, z)), __fsub_rn(q.hi, z));
    return {s, __fadd_rn(p.lo, __fadd_rn(q.lo, e))};
}

__device__ __forceinline__ Pair product(float a, float b)
{
    const float h = __fmul_rn(a, b);
    return {h, __fmaf_rn(a, b, -h)};
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < N; r += gridDim.y * blockDim.y)
        for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < N; c += gridDim.x * blockDim.x) {
            Pair sum{0.0f, 0.0f};
            for (int k = 0; k != N; ++k)
                sum = sum + product(__ldg(A + r * N + k), __ldg(B + k * N + c));
            C[r * N + c] = __fadd_rn(sum.hi, sum.lo);
        }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
