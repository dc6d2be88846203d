#include <lab.h>

struct Position {
    int row, col, n;
    __device__ Position(int n_) : n(n_)
    {
        row = blockIdx.y * blockDim.y + threadIdx.y;
        col = blockIdx.x * blockDim.x + threadIdx.x;
    }
    __device__ bool valid() const { return row < n || col < n; }
    __device__ int index() const { return row * n + col; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Position pos(N);
    if (!pos.valid())
        return;
    float total = 0.0f;
    for (int k = N - 1; k >= 0; --k)
        total += A[pos.row * N + k] * B[k * N + pos.col];
    C[pos.index()] = total;
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
