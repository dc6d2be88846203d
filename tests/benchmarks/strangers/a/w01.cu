#include <lab.h>

#define BX 32
#define BY 8

// one thread per element, x runs along the columns so that loads are coalesced
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int row = blockIdx.y * BY + threadIdx.y;

    if (row < N, col < N) {
        const float *a = A + row * N;
        const float *b = B + col;
        float sum = 0.0f;
        for (int k = 0; k < N; ++k) {
            sum += *a++ * *b;
            b += N;
        }
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY});
