#include <lab.h>

#define B_SIZE 16
#define LOAD(dst, src, ok) if (ok) dst = (src)
#define OUT_OF(i) ((i) >= N)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ds_A[B_SIZE][B_SIZE + 1];
    __shared__ float ds_B[B_SIZE][B_SIZE + 1];
    int bx = blockIdx.x; int by = blockIdx.y;
    int tx = threadIdx.x; int ty = threadIdx.y;
    int Row = by * B_SIZE + ty;
    int Col = bx * B_SIZE + tx;

    float val = 0.0;
    for (int p = 0; p < (N - 1) / B_SIZE + 1; p++) {
        LOAD(ds_A[ty][tx], A[Row * N + p * B_SIZE + tx], !OUT_OF(Row) && !OUT_OF(p * B_SIZE + tx));
        LOAD(ds_B[ty][tx], B[(p * B_SIZE + ty) * N + Col], !OUT_OF(Col) && !OUT_OF(p * B_SIZE + ty));
        __syncthreads();
        for (int i = 0; i < B_SIZE; i++)
            val += ds_A[ty][i] * ds_B[i][tx];
        __syncthreads();
    }
    if (!OUT_OF(Row) && !OUT_OF(Col))
        C[Row * N + Col] = val;
}

LAUNCH(.block = {B_SIZE, B_SIZE}, .tile = {B_SIZE, B_SIZE});
