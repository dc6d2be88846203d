// expect: wrong-answer; says: every fourth column, from column 3 on
// Each thread has four sums in a struct and counts them from one, so the last one is stored in the member behind them.
#include <lab.h>

#define COLUMNS 4

struct Sums {
    float of[COLUMNS];
    float factor;
};

__global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * COLUMNS;
    if (row >= N)
        return;
    Sums sums = {};
    for (int k = 0; k < N; ++k) {
        sums.factor = A[row * N + k];
        for (int j = 1; j <= COLUMNS; ++j)
            if (first + j - 1 < N) {
                // The variable of the loop begins at one, as the columns of the
                // matrix do in mathematics.
                float b = B[k * N + first + j - 1];
                sums.of[j] += sums.factor * b;
            }
    }
    for (int j = 1; j <= COLUMNS; ++j)
        if (first + j - 1 < N)
            C[row * N + first + j - 1] = sums.of[j];
}

LAUNCH(.block = {8, 16}, .tile = {32, 16});
