#include <lab.h>

// The simplest version that I trust; neighbouring threads read neighbouring columns.
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= N || r >= N) return;

    double s = 0;                       // double is slower, but exact enough for any N
    for (int k = 0; k < N; ++k)
        s += double(A[r * N + k]) * double(B[k * N + c]);
    C[r * N + c] = float(s);
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
