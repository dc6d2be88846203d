#include <lab.h>

#define N_THREADS 256
#define TILE 8
#define DEPTH 16   // TILE * DEPTH = 128 elements per tile

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[TILE][DEPTH];
    __shared__ float tb[DEPTH][TILE];

    int tid = threadIdx.x;
    int y0 = blockIdx.y * TILE, x0 = blockIdx.x * TILE;
    int outY = y0 + tid / TILE, outX = x0 + tid % TILE;   // for tid < 64
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        if (tid < 128) {
            // first half of the threads: A
            int y = tid / DEPTH, x = tid % DEPTH;
            ta[y][x] = (y0 + y < N && k0 + x < N) ? A[(y0 + y) * N + k0 + x] : 0.0f;
            __syncthreads();
        } else {
            // second half: B
            int y = (tid - 128) / TILE, x = (tid - 128) % TILE;
            tb[y][x] = (k0 + y < N && x0 + x < N) ? B[(k0 + y) * N + x0 + x] : 0.0f;
        }
        if (tid < TILE * TILE)
            for (int k = 0; k < DEPTH; k++)
                sum += ta[tid / TILE][k] * tb[k][tid % TILE];
        __syncthreads();
    }

    if (tid < TILE * TILE && outY < N && outX < N)
        C[outY * N + outX] = sum;
}

LAUNCH(.block = {N_THREADS}, .tile = {TILE, TILE});
