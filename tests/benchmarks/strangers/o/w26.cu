#include <lab.h>

enum { WIDTH = 16 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[WIDTH][WIDTH];
    __shared__ float b[WIDTH][WIDTH];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * WIDTH + ty;
    const int col = blockIdx.x * WIDTH + tx;
    float sum = 0.0f;

    for (int k = tx; k < N; k += WIDTH)
    {
        const int kb = k - tx + ty;

        a[ty][tx] = 0.0f;
        b[ty][tx] = 0.0f;
        if (row < N && k < N)
            a[ty][tx] = A[row * N + k];
        if (kb < N && col < N)
            b[ty][tx] = B[kb * N + col];
        __syncthreads();

        for (int i = 0; i < WIDTH; ++i)
            sum += a[ty][i] * b[i][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {WIDTH, WIDTH}, .tile = {WIDTH, WIDTH});
