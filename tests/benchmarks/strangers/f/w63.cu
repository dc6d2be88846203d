#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // coalesced: x -> column
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.x + threadIdx.y;

    if (row < N && col < N) {
        float dot = 0.0f;
        for (int i = 0; i < N; i++) {
            dot = fmaf(A[row * N + i], B[i * N + col], dot);
        }
        C[row * N + col] = dot;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
