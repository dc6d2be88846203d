#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float tmp;
    int ROW = blockIdx.y*blockDim.y+threadIdx.y;
    int COL = blockIdx.x*blockDim.x+threadIdx.x;

    if (ROW < N && COL < N) {
        // each thread computes one element of the block sub-matrix
        for (int i = 0; i < N; i++)
            tmp += A[ROW * N + i] * B[i * N + COL];
        C[ROW * N + COL] = tmp;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
