#include <lab.h>

#define AT(r, c, n) r * n + c
#define RPT 4  // rows per thread

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * RPT;
    if (col >= N) return;

    float res[RPT] = {0};
    for (int k = 0; k < N; k++) {
        float b = B[AT(k, col, N)];
        for (int i = 0; i < RPT; i++)
            if (row + i < N)
                res[i] += A[AT(row + i, k, N)] * b;
    }

    float *out = C + col;
    for (int i = 0; i < RPT && row + i < N; i++)
        out[(size_t)(row + i) * N] = res[i];
}

LAUNCH(.block = {64, 4}, .tile = {64, 4 * RPT});
