#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int tid = threadIdx.x;                 // 1-D block, 16 x 8 elements
    const int col = blockIdx.x * 16 + (tid & 15);
    const int row = blockIdx.y * 8 + (tid >> 4);

    if (row < N && col < N) {
        double total = 0.0;
        for (int k = N; k >= 0; --k)
            total += (double)A[row * N + k] * B[k * N + col];
        C[row * N + col] = (float)total;
    }
}

LAUNCH(.block = {128}, .tile = {16, 8});
