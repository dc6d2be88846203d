#include <lab.h>

// Compensated summation (Kahan). The _rn intrinsics keep the compiler from contracting the correction away.
struct Kahan {
    float s, c;
};

__device__ void kahan_add(Kahan &k, float x)
{
    float y = __fsub_rn(x, k.c);
    float t = __fadd_rn(k.s, y);
    k.c = __fsub_rn(__fsub_rn(t, k.s), y);
    k.s = t;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // one-dimensional block of 128 threads: 128 columns of one row; the row of A is staged in pieces
    __shared__ float piece[128];

    int col = blockIdx.x * 128 + threadIdx.x;
    int row = blockIdx.y;
    Kahan acc = {0.f, 0.f};

    for (int k0 = 0; k0 < N; k0 += 128) {
        int have = N - k0 < 128 ? N - k0 : 128;
        if (threadIdx.x < have)
            piece[threadIdx.x] = A[row * N + k0 + threadIdx.x];
        __syncthreads();
        if (col < N)
            for (int k = 0; k < have; ++k)
                kahan_add(acc, __fmul_rn(piece[k], B[(k0 + k) * N + col]));
        __syncthreads();
    }

    if (col < N)
        C[row * N + col] = acc.s;
}

LAUNCH(.block = {128}, .tile = {128, 1});
