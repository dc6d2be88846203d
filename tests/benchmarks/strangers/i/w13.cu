#include <lab.h>

// 64x64 per block, 4x4 per thread, two buffers in shared memory.
// The next tile is first read into registers (so the loads overlap with the arithmetic)
// and then stored into the other buffer.

constexpr int TILE = 64;
constexpr int DEPTH = 8;
constexpr int THREADS = 256;

struct Buffer {
    float a[DEPTH][TILE + 1];
    float b[DEPTH][TILE];
};

// what one thread carries from global to shared memory
struct Parcel {
    float a[2], b[2];

    __device__ void fetch(const float *A, const float *B, int N, int row0, int col0, int k0, int tid)
    {
        for (int i = 0; i < 2; ++i) {
            int e = tid + i * THREADS;
            int r = row0 + e / DEPTH, ka = k0 + e % DEPTH;
            int kb = k0 + e / TILE, c = col0 + e % TILE;
            a[i] = (r < N && ka < N) ? A[r * N + ka] : 0.0f;
            b[i] = (kb < N && c < N) ? B[kb * N + c] : 0.0f;
        }
    }

    __device__ void store(Buffer &buf, int tid) const
    {
        for (int i = 0; i < 2; ++i) {
            int e = tid + i * THREADS;
            buf.a[e % DEPTH][e / DEPTH] = a[i];
            buf.b[e / TILE][e % TILE] = b[i];
        }
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Buffer buffers[2];

    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float acc[4][4] = {{0.0f}};
    Parcel parcel;

    // first tile
    parcel.fetch(A, B, N, row0, col0, 0, tid);
    parcel.store(buffers[0], tid);
    __syncthreads();

    int now = 0;
    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        const bool more = k0 + DEPTH < N;
        if (more)
            parcel.fetch(A, B, N, row0, col0, k0 + DEPTH, tid);

        const Buffer &buf = buffers[now];
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += buf.a[k][threadIdx.y + 16 * i] * buf.b[k][threadIdx.x + 16 * j];
        }

        if (more)
            parcel.store(buffers[1 - now], tid);
        now = 1 - now;
    }

    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            int r = row0 + threadIdx.y + 16 * i;
            int c = col0 + threadIdx.x + 16 * j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {TILE, TILE});
