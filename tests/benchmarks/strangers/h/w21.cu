#include <lab.h>

// A block of 64 x 4 threads computes 16 rows and 64 columns of C.
#define COLS_PER_BLOCK 64
#define ROWS_PER_BLOCK 16
#define DEPTH 16
#define ROWS_PER_THREAD 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[ROWS_PER_BLOCK][DEPTH];
    __shared__ float Bs[DEPTH][COLS_PER_BLOCK];

    int tid = threadIdx.y * COLS_PER_BLOCK + threadIdx.x;
    int ar = tid / DEPTH, ac = tid % DEPTH;
    int row0 = blockIdx.y * ROWS_PER_BLOCK;
    int col = blockIdx.x * COLS_PER_BLOCK + threadIdx.x;
    float acc[ROWS_PER_THREAD] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int p = 0; p < gridDim.x; ++p) {
        int k0 = p * DEPTH;
        As[ar][ac] = (row0 + ar < N && k0 + ac < N) ? A[(row0 + ar) * N + k0 + ac] : 0.0f;
        for (int i = threadIdx.y; i < DEPTH; i += 4)
            Bs[i][threadIdx.x] = (k0 + i < N && col < N) ? B[(k0 + i) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < DEPTH; ++k) {
            float b = Bs[k][threadIdx.x];
            for (int i = 0; i < ROWS_PER_THREAD; ++i)
                acc[i] += As[threadIdx.y * ROWS_PER_THREAD + i][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < ROWS_PER_THREAD; ++i) {
        int row = row0 + threadIdx.y * ROWS_PER_THREAD + i;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {64, 4}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK});
