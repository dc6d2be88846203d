#include <lab.h>

struct Pos {
    int row;
    int col;
    __device__ bool inside(int n) const { return row < n && col < n; }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Pos p = {int(blockIdx.y * blockDim.y + threadIdx.y), int(blockIdx.x * blockDim.x + threadIdx.x)};
    if (!p.inside(N))
        return;
    float t = 0;
    for (int k = 0; k < N; k++)
        t += A[p.row * N + k] * B[k * N + p.col];
    C[p.row * N + p.col] = t;
}

LAUNCH(.block = {16, 16});
