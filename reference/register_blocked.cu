// 5. Register-blocked. What it adds over tiled_32.cu: one thread computes 4 x 4 elements of C instead of one.
//
// In the tiled kernels each multiply-add waits for two reads from shared memory. Here a thread reads 4 elements of
// As and 4 of Bs into registers and makes 16 products of them: half a read per multiply-add instead of two, a
// quarter of the shared-memory traffic. The 16 sums live in registers and do not depend on each other, so the
// arithmetic units always have something to do while a load is under way.
//
// A block has 16 x 16 threads and therefore computes a 64 x 64 tile of C. Every element that came from global
// memory is used 64 times: 16 flops per byte.
//
// A thread's elements lie 16 apart, not side by side, so that neighbouring threads always touch neighbouring
// addresses: in global memory (coalesced) as in shared memory (no two threads of a warp need the same bank).
#include <lab.h>

constexpr int THREADS = 16;                  // along each side of the block
constexpr int PER_THREAD = 4;                // elements of C along each side of a thread's share
constexpr int TILE = THREADS * PER_THREAD;   // side of the tile of C that a block computes
constexpr int DEPTH = THREADS;               // step along K

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int N)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.y * TILE + ty;  // the thread's rows are row0, row0 + 16, row0 + 32, row0 + 48
    const int col0 = blockIdx.x * TILE + tx;  // and so are its columns

    float sum[PER_THREAD][PER_THREAD] = {};
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = 0; i < PER_THREAD; ++i) {
            const int row = row0 + i * THREADS;
            const int col = col0 + i * THREADS;
            As[ty + i * THREADS][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0.0f;
            Bs[ty][tx + i * THREADS] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < DEPTH; ++k) {
            float a[PER_THREAD], b[PER_THREAD];
#pragma unroll
            for (int i = 0; i < PER_THREAD; ++i) {
                a[i] = As[ty + i * THREADS][k];
                b[i] = Bs[k][tx + i * THREADS];
            }
#pragma unroll  // sum[][] can only live in registers when its indices are known to the compiler
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
            if (row < N && col < N)
                C[row * N + col] = sum[i][j];
        }
}

LAUNCH(.block = {THREADS, THREADS}, .tile = {TILE, TILE});
