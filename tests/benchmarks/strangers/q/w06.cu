#include <lab.h>

// each thread handles 4 rows of the same column (rows are 8 apart)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    if (col >= N) return;

    float sum = 0.0f;
    for (int y = threadIdx.y; y < 32; y += 8) {
        int row = blockIdx.y * 32 + y;
        if (row >= N) break;
        for (int k = 0; k < N; k++) {
            sum += A[row * N + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 32});
