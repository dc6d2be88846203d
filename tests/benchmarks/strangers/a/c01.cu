#include <lab.h>

#define WIDTH 256
#define HEIGHT 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * WIDTH + threadIdx.x;
    const int first = blockIdx.y * HEIGHT;
    if (col >= N)
        return;
    for (int row = first; row < first + HEIGHT; ++row) {
        if (row == N)
            break;
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {WIDTH}, .tile = {WIDTH, HEIGHT});
