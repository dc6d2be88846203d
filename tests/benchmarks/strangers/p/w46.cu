#include <lab.h>
#define TX 64
#define TY 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int c = blockIdx.x * TX + threadIdx.x;
    int r = blockIdx.y * TY + threadIdx.y;

    // inside the matrix
    if (c < N && r < N) {
        float t = 0.f;
#pragma unroll 4
        for (int k = 0; k < N; k++)
            t = __fmaf_rn(A[r * N + k], B[k * N + c], t);
        C[r * N + c] = t;
    }
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY});
