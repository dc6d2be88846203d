#include <lab.h>

#define STEP(u) s##u += arow[k + u] * bcol[(k + u) * N]

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N && j < N) {
        const float *arow = &A[i * N];
        const float *bcol = &B[j];
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
        int k = 0;
        for (; k < N; k += 8) {
            STEP(0);
            STEP(1);
            STEP(2);
            STEP(3);
            STEP(4);
            STEP(5);
            STEP(6);
            STEP(7);
        }
        for (; k < N; ++k)
            STEP(0);
        C[i * N + j] = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
