#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // part[s][x]: partial sum number s of column x
    __shared__ float part[16][16];

    int x = threadIdx.x;
    int s = threadIdx.y;
    int col = blockIdx.x * 16 + x;
    int row = blockIdx.y;

    float p = 0.0f;
    if (col < N)
        for (int k = s; k < N; k += 16)
            p += A[row * N + k] * B[k * N + col];
    part[s][x] = p;
    __syncthreads();

    for (int half = 8; half > 0; half >>= 1) {
        if (s < half)
            part[s][x] += part[s + half][x];
    }

    if (s == 0 && col < N)
        C[row * N + col] = part[0][x];
}

LAUNCH(.block = {16, 16}, .tile = {16, 1});
