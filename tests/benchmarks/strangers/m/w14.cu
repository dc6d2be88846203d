#include <lab.h>

// one-dimensional block: 256 neighbouring columns of one row
#define THREADS 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * THREADS + threadIdx.x;
    int row = blockIdx.y;
    int acc = 0;

    if (col < N) {
        const float *a = A + row * N;
        const float *b = B + col;
        for (int k = 0; k < N; k++) {
            acc += (*a) * (*b);
            a++;
            b += N;
        }
        C[row * N + col] = acc;
    }
}

LAUNCH(.block = {THREADS}, .tile = {THREADS, 1});
