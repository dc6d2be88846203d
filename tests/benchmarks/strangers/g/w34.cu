// ---------------------------------------------------------------------------------------------------------------------
//  Assignment 4: register-blocked matrix multiplication with double-buffered shared memory
//
//  A block of 16 x 16 threads computes a tile of 64 x 64 elements of C.  The results of a thread are spread over the
//  tile, so that neighbouring threads read and write neighbouring addresses.
// ---------------------------------------------------------------------------------------------------------------------
#include <lab.h>

constexpr int THREADS_X = 16;
constexpr int THREADS_Y = 16;
constexpr int THREADS   = THREADS_X * THREADS_Y;

constexpr int TILE_M = 64;      // rows of C
constexpr int TILE_N = 64;      // columns of C
constexpr int TILE_K = 8;

constexpr int PER_X = TILE_N / THREADS_X;
constexpr int PER_Y = TILE_M / THREADS_Y;

struct Problem {
    const float *A;
    const float *B;
    float *C;
    int N;

    __device__ float a(int r, int k) const { return r < N && k < N ? A[r * N + k] : 0.0f; }
    __device__ float b(int k, int c) const { return k < N && c < N ? B[k * N + c] : 0.0f; }
    __device__ void store(int r, int c, float v) const
    {
        if (r < N && c < N)
            C[r * N + c] = v;
    }
};

struct Buffer {
    float a[TILE_K][TILE_M + 4];    // transposed
    float b[TILE_K][TILE_N];
};

// What a thread carries from global to shared memory: 64 * 8 / 256 = 2 elements of each matrix
struct Luggage {
    float a[TILE_M * TILE_K / THREADS];
    float b[TILE_K * TILE_N / THREADS];

    __device__ void pack(const Problem &p, int row0, int col0, int k0, int id)
    {
#pragma unroll
        for (int i = 0; i < TILE_M * TILE_K / THREADS; ++i) {
            const int e = id + i * THREADS;
            a[i] = p.a(row0 + e / TILE_K, k0 + e % TILE_K);
            b[i] = p.b(k0 + e / TILE_N, col0 + e % TILE_N);
        }
    }

    __device__ void unpack(Buffer &to, int id) const
    {
#pragma unroll
        for (int i = 0; i < TILE_M * TILE_K / THREADS; ++i) {
            const int e = id + i * THREADS;
            to.a[e % TILE_K][e / TILE_K] = a[i];
            to.b[e / TILE_N][e % TILE_N] = b[i];
        }
    }
};

__device__ void multiply(const Buffer &now, float (&acc)[PER_Y][PER_X], int tx, int ty)
{
#pragma unroll
    for (int k = 0; k < TILE_K; ++k) {
        float fragA[PER_Y], fragB[PER_X];
#pragma unroll
        for (int i = 0; i < PER_Y; ++i)
            fragA[i] = now.a[k][ty + i];
#pragma unroll
        for (int j = 0; j < PER_X; ++j)
            fragB[j] = now.b[k][tx + j * THREADS_X];
#pragma unroll
        for (int i = 0; i < PER_Y; ++i)
#pragma unroll
            for (int j = 0; j < PER_X; ++j)
                acc[i][j] = fmaf(fragA[i], fragB[j], acc[i][j]);
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Buffer buffers[2];

    const Problem p{A, B, C, N};
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int id = ty * THREADS_X + tx;
    const int row0 = blockIdx.y * TILE_M;
    const int col0 = blockIdx.x * TILE_N;
    const int tiles = (N + TILE_K - 1) / TILE_K;

    float acc[PER_Y][PER_X] = {};
    Luggage luggage;

    luggage.pack(p, row0, col0, 0, id);
    luggage.unpack(buffers[0], id);
    __syncthreads();

    for (int t = 0; t < tiles; ++t) {
        const bool more = t + 1 < tiles;
        if (more)
            luggage.pack(p, row0, col0, (t + 1) * TILE_K, id);
        multiply(buffers[t & 1], acc, tx, ty);
        if (more)
            luggage.unpack(buffers[(t + 1) & 1], id);
        __syncthreads();
    }

    for (int i = 0; i < PER_Y; ++i)
        for (int j = 0; j < PER_X; ++j)
            p.store(row0 + ty + i * THREADS_Y, col0 + tx + j * THREADS_X, acc[i][j]);
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {TILE_N, TILE_M});
