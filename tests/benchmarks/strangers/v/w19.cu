#include <lab.h>

// helpers for row-major access
#define AT(M, r, c) M[r * N + c]
#define CEIL(a, b) (((a) + (b) - 1) / (b))

#define UNROLL 4

// every thread computes UNROLL rows that are next to each other
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = (blockIdx.y * blockDim.y + threadIdx.y) * UNROLL;
    if (x >= N) return;

    float res[UNROLL] = {0};
    for (int k = 0; k < N; k++) {
        float b = AT(B, k, x);
        for (int i = 0; i < UNROLL; i++)
            if (y + i < N)
                res[i] += AT(A, y + i, k) * b;
    }

    for (int i = 0; i < UNROLL; i++) {
        int yy = y + i;
        if (yy < N)
            AT(C, yy, x) = res[i];
    }
}

LAUNCH(.block = {32, 4}, .tile = {32, 4 * UNROLL});
