#include <lab.h>
#include <cooperative_groups.h>

using namespace cooperative_groups;

#define EDGE 16

__device__ float at(const float *matrix, int row, int col, int n)
{
    const bool inside = row < n && col < n;
    return inside ? matrix[row * n + col] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    thread_block cta = this_thread_block();
    __shared__ float left[EDGE][EDGE], right[EDGE][EDGE];

    const int i = cta.thread_index().y;
    const int j = cta.thread_index().x;
    const int row = cta.group_index().y * EDGE + i;
    const int col = cta.group_index().x * EDGE + j;
    float sum = 0.0f;
    int k = 0;

    do {
        left[i][j] = at(A, row, k + j, N);
        right[i][j] = at(B, k + i, col, N);
        cta.sync();

        for (int q = 0; q < EDGE; ++q)
            sum += left[i][q] * right[q][j];
        cta.sync();

        k += EDGE;
    } while (k < N);

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {EDGE, EDGE}, .tile = {EDGE, EDGE});
