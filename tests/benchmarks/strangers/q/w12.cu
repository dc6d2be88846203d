#include <lab.h>

#define COARSE 4
// thread coarsening: 4 outputs per thread in x
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row  = blockIdx.y * 16 + threadIdx.y;
    int base = blockIdx.x * 16 * COARSE + threadIdx.x * COARSE;
    float val[COARSE] = {0, 0, 0, 0};

    if (row < N) {
        for (int k = 0; k < N; ++k) {
            float a = A[row * N + k];
            for (int j = 0; j < COARSE; ++j) {
                int col = base + j;
                if (col < N) val[j] += a * B[k * N + col];
            }
        }
        for (int j = 0; j < COARSE; ++j) {
            int col = base + j * 16;
            if (col < N) C[row * N + col] = val[j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
