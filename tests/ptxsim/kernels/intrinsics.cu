#include <math.h>
#include <stdio.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    bool right = __popc(7) == 3 && __clz(1) == 31 && __ffs(8) == 4 && __int_as_float(0x3f800000) == 1.0f;
    right &= __float2int_rn(2.5f) == 2 && __float2int_rz(-1.5f) == -1 && min(3, 2u) == 2 && max(1.0f, 2.0f) == 2.0f;
    right &= __fmaf_rn(2.0f, 3.0f, 1.0f) == 7.0f && __fadd_rn(1.0f, 2.0f) == 3.0f && __frcp_rn(4.0f) == 0.25f;
    right &= rsqrtf(4.0f) == 0.5f && fabsf(__expf(0.0f) - 1.0f) < 1e-6f && __brev(1u) == 0x80000000u;
    right &= make_int4(1, 2, 3, 4).w == 4 && make_double2(1, 2).y == 2 && sizeof(float3) == 12 && alignof(float4) == 16;
    right &= __byte_perm(0x03020100, 0x07060504, 0x7531) == 0x07050301 && abs(-2) == 2 && abs(-2.5f) == 2.5f;
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row == 0 && col == 0) printf("N is %d\n", N);
    if (row >= N || col >= N) return;
    float sum = right ? 0.0f : 1.0f;
    for (int k = 0; k < N; ++k) sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}
