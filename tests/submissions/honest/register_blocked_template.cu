// expect: ok
// A __device__ template does the work on 8 x 8 elements per thread; the kernel only sets its sizes. The tile of A
// is stored transposed, so that the innermost loop walks along rows of both tiles.
#include <lab.h>

template <int THREADS, int PER_THREAD, int DEPTH>
__device__ void multiply(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    constexpr int TILE = THREADS * PER_THREAD;
    __shared__ float As[DEPTH][TILE + 1];
    __shared__ float Bs[DEPTH][TILE];
    const int thread = threadIdx.y * THREADS + threadIdx.x;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;

    float sum[PER_THREAD][PER_THREAD] = {};
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = thread; i < TILE * DEPTH; i += THREADS * THREADS) {
            int row = row0 + i / DEPTH, a_col = first + i % DEPTH;
            int b_row = first + i / TILE, col = col0 + i % TILE;
            As[i % DEPTH][i / DEPTH] = row < N && a_col < N ? A[row * N + a_col] : 0.0f;
            Bs[i / TILE][i % TILE] = b_row < N && col < N ? B[b_row * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k)
#pragma unroll
            for (int i = 0; i < PER_THREAD; ++i)
#pragma unroll
                for (int j = 0; j < PER_THREAD; ++j)
                    sum[i][j] += As[k][threadIdx.y + i * THREADS] * Bs[k][threadIdx.x + j * THREADS];
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < PER_THREAD; ++i)
#pragma unroll
        for (int j = 0; j < PER_THREAD; ++j) {
            int row = row0 + threadIdx.y + i * THREADS, col = col0 + threadIdx.x + j * THREADS;
            if (row < N && col < N)
                C[row * N + col] = sum[i][j];
        }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    multiply<8, 8, 8>(A, B, C, N);
}

LAUNCH(.block = {8, 8}, .tile = {64, 64});
