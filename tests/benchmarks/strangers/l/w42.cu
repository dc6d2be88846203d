#include <lab.h>

// 32 x 32 elements per block, 32 x 8 threads: every thread has four rows
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    if (col >= N)
        return;

    double acc = 0.0;
    for (int y = threadIdx.y; y < 32; y += blockDim.y) {
        const int row = blockIdx.y * 32 + y;
        if (row >= N)
            break;
        for (int k = 0; k < N; ++k)
            acc += double(A[row * N + k]) * double(B[k * N + col]);
        C[row * N + col] = float(acc);
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 32});
