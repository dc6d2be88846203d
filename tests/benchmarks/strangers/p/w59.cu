#include <lab.h>

#define IDX(i, j) (i * N + j)
#define ROWS_PER_THREAD 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 32 + threadIdx.y;

    if (col < N) {
        float s[ROWS_PER_THREAD] = {0.0f, 0.0f, 0.0f, 0.0f};

        for (int k = 0; k < N; k++) {
            const float b = B[IDX(k, col)];
            for (int r = 0; r < ROWS_PER_THREAD; r++)
                if (row + r * 8 < N)
                    s[r] += A[IDX(row + r * 8, k)] * b;
        }

        for (int r = 0; r < ROWS_PER_THREAD; r++) {
            const int i = row + r * 8;
            if (i < N)
                C[IDX(i, col)] = s[r];
        }
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 32});
