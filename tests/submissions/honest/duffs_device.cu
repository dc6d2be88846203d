// expect: ok
// Unrolled by eight with a switch that jumps into the loop, after Tom Duff.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    const float *a = A + row * N, *b = B + col;
    float sum = 0.0f;
    int rounds = (N + 7) / 8;
#define TERM sum += *a++ * *b, b += N
    switch (N % 8) {
    case 0: do { TERM;
    case 7:      TERM;
    case 6:      TERM;
    case 5:      TERM;
    case 4:      TERM;
    case 3:      TERM;
    case 2:      TERM;
    case 1:      TERM;
            } while (--rounds > 0);
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
