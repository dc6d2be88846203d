#include <lab.h>

const int TILE = 8;

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    __shared__ float a_sh[TILE][TILE], b_sh[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = TILE * blockIdx.x + tx, y = TILE * blockIdx.y + ty;
    float res = 0.0f;

    int nTiles = N / TILE;
    if (N % TILE) nTiles++;

    for (int i = 0; i < nTiles; i++)
    {
        int xa = i * TILE + tx, yb = i * TILE + ty;
        if (y < N && xa < N) a_sh[ty][tx] = A[y * N + xa];
        if (yb < N && x < N) b_sh[ty][tx] = B[yb * N + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            res += a_sh[ty][k] * b_sh[k][tx];
        __syncthreads();
    }
    if (x < N && y < N) C[y * N + x] = res;
}

LAUNCH(.block = {8, 8}, .tile = {8, 8});
