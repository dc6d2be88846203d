#include <lab.h>

// One thread per element, 32 columns x 4 rows per block, k unrolled by 4
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned row = blockIdx.y * 4 + threadIdx.y;
    unsigned col = blockIdx.x * 32 + threadIdx.x;
    if (row >= N || col >= N)
        return;

    const unsigned short first = row * N;  // start of my row in A and C
    float s = 0.0f;
    unsigned k = 0;
    for (; k + 4 <= N; k += 4) {
        s += A[first + k] * B[k * N + col];
        s += A[first + k + 1] * B[(k + 1) * N + col];
        s += A[first + k + 2] * B[(k + 2) * N + col];
        s += A[first + k + 3] * B[(k + 3) * N + col];
    }
    while (k < N) {
        s += A[first + k] * B[k * N + col];
        k++;
    }
    C[row * N + col] = s;
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
