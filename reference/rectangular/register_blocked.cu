// 3. Register-blocked. Extends tiled.cu from one element per thread to 4 x 4.
//
// For each k, a thread reads 4 elements of As and 4 of Bs into registers and computes 16 products from them: half a
// read from shared memory per multiply-add instead of two. A block of 16 x 16 threads computes 64 x 64 elements of C,
// so each element loaded from global memory is used 64 times: 2 * M * N * K / 64 loads, 16 FLOP per byte.
//
// There are a sixteenth as many blocks as with the 16 x 16 tile. If C is small or narrow, that can be too few for all
// multiprocessors: then a smaller tile is faster, although it moves more bytes.
#include <lab.h>

constexpr int THREADS = 16;                 // rows and columns of threads in a block
constexpr int PER_THREAD = 4;               // rows and columns of C that a thread computes
constexpr int TILE = THREADS * PER_THREAD;  // side of the tile of C that a block computes
constexpr int DEPTH = THREADS;              // step along K

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int M, int N, int K)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.y * TILE + ty;  // the thread's rows are row0, row0 + 16, row0 + 32, row0 + 48
    const int col0 = blockIdx.x * TILE + tx;  // and so are its columns

    float sum[PER_THREAD][PER_THREAD] = {};
    for (int first = 0; first < K; first += DEPTH) {
#pragma unroll
        for (int i = 0; i < PER_THREAD; ++i) {
            const int row = row0 + i * THREADS;
            const int col = col0 + i * THREADS;
            As[ty + i * THREADS][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
            Bs[ty][tx + i * THREADS] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < DEPTH; ++k) {
            float a[PER_THREAD], b[PER_THREAD];
#pragma unroll
            for (int i = 0; i < PER_THREAD; ++i) {
                a[i] = As[ty + i * THREADS][k];
                b[i] = Bs[k][tx + i * THREADS];
            }
#pragma unroll  // sum[][] can be in registers only if the compiler knows its indices
            for (int i = 0; i < PER_THREAD; ++i)
#pragma unroll
                for (int j = 0; j < PER_THREAD; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < PER_THREAD; ++i)
#pragma unroll
        for (int j = 0; j < PER_THREAD; ++j) {
            const int row = row0 + i * THREADS;
            const int col = col0 + j * THREADS;
            if (row < M && col < N)
                C[row * N + col] = sum[i][j];
        }
}

LAUNCH(.block = {THREADS, THREADS}, .tile = {TILE, TILE});
