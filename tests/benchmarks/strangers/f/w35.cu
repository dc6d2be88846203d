#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[TILE * TILE];
    __shared__ float tb[TILE * TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int me = ty * TILE + tx;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    // walking pointers: fewer multiplications in the loop
    const float *pa = A + row * N + tx;
    const float *pb = B + ty * N + col;

    float r = 0.0f;
    int left = N;          // how many k are still to do
    while (left > 0) {
        ta[me] = (row < N && tx < left) ? *pa : 0.0f;
        tb[me] = (col < N && ty < left) ? *pb : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            r += ta[ty * TILE + k] * tb[k * TILE + tx];
        __syncthreads();

        pa += TILE;
        pb += TILE;
        left -= TILE;
    }

    if (row < N && col < N)
        C[row * N + col] = r;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
