#include <lab.h>
#define SLICES 4

/* Idea: threads with different z add up different parts of the sum (split-K inside of a block). */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[SLICES][8][32];
    int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    int col = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 8 + ty;

    int len = N / SLICES;
    int first = tz * len;
    int last = min(first + len, N);

    float p = 0.0f;
    if (row < N && col < N)
        for (int k = first; k < last; k++)
            p += A[row * N + k] * B[k * N + col];
    part[tz][ty][tx] = p;
    __syncthreads();

    if (tz == 0 && row < N && col < N)
        C[row * N + col] = part[0][ty][tx] + part[1][ty][tx] + part[2][ty][tx] + part[3][ty][tx];
}

LAUNCH(.block = {32, 8, SLICES}, .tile = {32, 8});
