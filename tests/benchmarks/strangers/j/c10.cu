#include <lab.h>

// Duff's device, from the end to the beginning, summed in double precision
#define STEP --k, sum += (double)a[k] * b[k * N]

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 48 + threadIdx.x;
    const int row = blockIdx.y * 3 + threadIdx.y;
    if (col >= N || row >= N) return;

    const float *a = A + row * N;
    const float *b = B + col;
    double sum = 0.0;
    int k = N;
    int rounds = (N + 7) / 8;
    switch (N % 8) {
    case 0: do { STEP;
    case 7:      STEP;
    case 6:      STEP;
    case 5:      STEP;
    case 4:      STEP;
    case 3:      STEP;
    case 2:      STEP;
    case 1:      STEP;
            } while (--rounds > 0);
    }
    C[row * N + col] = (float)sum;
}

LAUNCH(.block = {48, 3}, .tile = {48, 3});
