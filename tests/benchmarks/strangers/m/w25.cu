#include <lab.h>

struct Pair { float first = 0, second = 0; };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // each thread owns two neighbouring columns
    int col = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N) return;

    Pair p;
    if (col + 1 < N) {
        for (int k = 0; k < N; k++) {
            float a = A[row * N + k];
            float2 b = *(const float2 *)&B[k * N + col];
            p.first += a * b.x;
            p.second += a * b.y;
        }
    } else {
        for (int k = 0; k < N; k++) {
            p.first += A[row * N + k] * B[k * N + col];
            if (col + 1 < N) p.second += A[row * N + k] * B[k * N + col + 1];
        }
    }
    C[row * N + col] = p.first;
    if (col + 1 < N) C[row * N + col + 1] = p.second;
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});
