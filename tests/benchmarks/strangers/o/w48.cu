#include <lab.h>

int const block_cols = 32;
int const block_rows = 4;

extern "C" __global__ void matmul(float const *A, float const *B, float *C, int N)
{
    int const col = blockIdx.x * block_cols + threadIdx.x;
    int const row = blockIdx.y * block_rows + threadIdx.y;

    if (col < N && row < N)
    {
        float const *a = A + row * N;
        float const *b = B + col;
        float dot = 0.0f;
        for (int k = 0; k <= N; ++k)
        {
            dot += *a * *b;
            a += 1;
            b += N;
        }
        C[row * N + col] = dot;
    }
}

LAUNCH(.block = {block_cols, block_rows}, .tile = {block_cols, block_rows});
