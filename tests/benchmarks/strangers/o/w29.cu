#include <lab.h>
static const int TS = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[TS][TS];
    __shared__ float tb[TS][TS];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.x * TS + ty;
    int col = blockIdx.y * TS + tx;
    int ntiles = N / TS + (N % TS != 0);
    float v = 0;

    for (int t = 0; t < ntiles; t++) {
        int ac = t + tx;
        int br = t * TS + ty;
        ta[ty][tx] = 0;
        tb[ty][tx] = 0;
        if (row < N && ac < N) ta[ty][tx] = A[row * N + ac];
        if (br < N && col < N) tb[ty][tx] = B[br * N + col];
        __syncthreads();
        for (int k = 0; k < TS; k++) v += ta[ty][k] * tb[k][tx];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = v;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS}, .grid_x = ROWS);
