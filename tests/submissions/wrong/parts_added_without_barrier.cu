// expect: data-race; lines: 12, 28; says: between line 28 and line 12, where all of them call it
// A function adds the parts of a row that other threads have just stored, with no barrier before the call.
#include <lab.h>

#define PARTS 16
#define ROWS 16

__device__ float total(const float *parts)
{
    float sum = 0.0f;
    for (int i = 0; i < PARTS; ++i)
        sum += parts[i];
    return sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float parts[ROWS][PARTS];
    int row = blockIdx.y * ROWS + threadIdx.y;
    int col = blockIdx.x;

    float part = 0.0f;
    if (row < N)
        for (int k = threadIdx.x; k < N; k += PARTS)
            part += A[row * N + k] * B[k * N + col];

    // No barrier here.
    parts[threadIdx.y][threadIdx.x] = part;
    float sum = total(parts[threadIdx.y]);
    if (row < N && threadIdx.x == 0)
        C[row * N + col] = sum;
}

LAUNCH(.block = {PARTS, ROWS}, .tile = {1, ROWS});
