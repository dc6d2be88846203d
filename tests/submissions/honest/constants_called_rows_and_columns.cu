// expect: ok
// Its own constants have the names that LAUNCH takes for .grid_x, before and behind lab.h.
constexpr int ROWS = 4;
#include <lab.h>
const int COLUMNS = 64;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * ROWS + threadIdx.y;
    int col = blockIdx.x * COLUMNS + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
