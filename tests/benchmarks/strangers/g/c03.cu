#include <lab.h>

// Kahan's compensated sum. Column-wise threads: threadIdx.x runs along the rows of C, which is slow but not wrong.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.x * 16 + threadIdx.x;
    const int col = blockIdx.y * 8 + threadIdx.y;

    if (row >= N || col >= N)
        return;

    float sum = 0.0f, lost = 0.0f;
    const float *a = A + row * N;
    const float *b = B + col;
    const float *const end = a + N;

    while (a != end) {
        const float y = __fsub_rn(__fmul_rn(*a, *b), lost);
        const float t = __fadd_rn(sum, y);
        lost = __fsub_rn(__fsub_rn(t, sum), y);
        sum = t;
        ++a;
        b += N;
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 8}, .tile = {8, 16}, .grid_x = ROWS);
