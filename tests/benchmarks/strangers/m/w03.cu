#include <lab.h>

// helper: element (r, c) of a matrix
__device__ inline float elem(const float *m, int n, int r, int c) { return m[r * n + c]; }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = threadIdx.x + blockDim.x * blockIdx.x;
    const int row = threadIdx.y + blockDim.y * blockIdx.y;

    if (row >= N) return;
    if (col >= N) return;

    float value;
    for (int e = 0; e < N; ++e) {
        value += elem(A, N, row, e) * elem(B, N, e, col);
    }
    C[row * N + col] = value;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
