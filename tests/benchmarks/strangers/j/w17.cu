#include <lab.h>

#define WIDTH 64          // columns per block
#define HEIGHT 16         // rows per block
#define THREAD_ROWS 4
#define PER_THREAD (HEIGHT / THREAD_ROWS)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.x * HEIGHT + threadIdx.y * PER_THREAD;
    int col = blockIdx.y * WIDTH + threadIdx.x;
    float sum[PER_THREAD] = {0};

    if (col < N) {
        for (int k = 0; k < N; ++k) {
            float b = B[k * N + col];       // used for all rows of the thread
            #pragma unroll
            for (int i = 0; i < PER_THREAD; ++i)
                if (row + i < N)
                    sum[i] += A[(row + i) * N + k] * b;
        }
        for (int i = 0; i < PER_THREAD; ++i)
            if (row + i < N)
                C[(row + i) * N + col] = sum[i];
    }
}

LAUNCH(.block = {WIDTH, THREAD_ROWS}, .tile = {WIDTH, HEIGHT});
