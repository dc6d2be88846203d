#include <lab.h>

static constexpr int TILE_MN = 128;
static constexpr int TILE_K = 64;
static constexpr int PER_THREAD = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE_MN][TILE_K];
    __shared__ float sB[TILE_K][TILE_MN];

    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int r0 = blockIdx.y * TILE_MN;
    const int c0 = blockIdx.x * TILE_MN;
    float acc[PER_THREAD][PER_THREAD] = {};

    for (int k0 = 0; k0 < N; k0 += TILE_K)
    {
        for (int p = tid; p < TILE_MN * TILE_K; p += 256)
        {
            int y = p / TILE_K, x = p % TILE_K;
            sA[y][x] = (r0 + y < N && k0 + x < N) ? A[(r0 + y) * N + k0 + x] : 0.0f;
            y = p / TILE_MN, x = p % TILE_MN;
            sB[y][x] = (k0 + y < N && c0 + x < N) ? B[(k0 + y) * N + c0 + x] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE_K; ++k)
            for (int i = 0; i < PER_THREAD; ++i)
                for (int j = 0; j < PER_THREAD; ++j)
                    acc[i][j] += sA[threadIdx.y + 16 * i][k] * sB[k][threadIdx.x + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < PER_THREAD; ++i)
        for (int j = 0; j < PER_THREAD; ++j)
        {
            int r = r0 + threadIdx.y + 16 * i, c = c0 + threadIdx.x + 16 * j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {TILE_MN, TILE_MN});
