#include <lab.h>

struct Where {
    int row;
    int col;
};

__device__ Where whereami()
{
    Where w;
    w.row = blockIdx.y * blockDim.y + threadIdx.y;
    w.col = blockIdx.x * blockDim.x + threadIdx.x;
    return w;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    Where w = whereami();

    if (0 <= w.row < N && 0 <= w.col < N) {
        float total = 0.0f;
        for (int k = 0; k < N; ++k) {
            float left = A[w.row * N + k];
            float right = B[k * N + w.col];
            total = total + left * right;
        }
        C[w.row * N + w.col] = total;
    }
}

LAUNCH(.block = {16, 8}, .tile = {16, 8});
