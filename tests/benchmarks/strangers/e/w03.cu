#include <lab.h>

// every thread: two elements of C, 32 columns apart
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col1 = blockIdx.x * 64 + threadIdx.x;
    const int col2 = col1 + 32;

    float s1 = 0.0f;
    float s2 = 0.0f;

    if (row < N) {
        const float *rowA = A + row * N;
        for (int k = 0; k < N; k++) {
            const float a = rowA[k];
            if (col1 < N)
                s1 += a * B[k * N + col1];
            if (col2 < N)
                s2 += a * B[k * N + col2];
        }
    }

    if (row < N && col1 < N)
        C[row * N + col1] = s1;
    if (row < N && col1 < N)
        C[row * N + col2] = s2;
}

LAUNCH(.block = {32, 8}, .tile = {64, 8});
