#include <lab.h>

/*
 * Team play: 4 teams of 64 threads share a tile of 32 x 32.
 *
 *   team 0 takes the k-slabs 0, 4, 8, ...
 *   team 1 takes the k-slabs 1, 5, 9, ...      and so on.
 *
 * A slab is 8 wide. A member of a team computes 4 x 4 results. In the end, the teams merge what they have.
 */
#define TILE   32
#define SLAB   8
#define TEAMS  4
#define SIDE   8            /* a team has 8 x 8 members */
#define MINE   (TILE / SIDE)

__device__ __forceinline__ float safe(const float *__restrict__ M, int r, int c, int n)
{
    return ((unsigned)r < (unsigned)n && (unsigned)c < (unsigned)n) ? M[r * n + c] : 0.0f;
}

extern "C" __global__ void __launch_bounds__(SIDE * SIDE * TEAMS)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float a[TEAMS][TILE][SLAB + 1];
    __shared__ float b[TEAMS][SLAB][TILE];
    __shared__ float merged[TILE][TILE];

    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int team = threadIdx.z;
    const int member = y * SIDE + x;
    const int everybody = team * SIDE * SIDE + member;

    const int top = blockIdx.y * TILE;
    const int left = blockIdx.x * TILE;

    for (int e = everybody; e < TILE * TILE; e += SIDE * SIDE * TEAMS)
        merged[e / TILE][e % TILE] = 0.0f;

    float acc[MINE][MINE];
    for (int i = 0; i < MINE; ++i)
        for (int j = 0; j < MINE; ++j)
            acc[i][j] = 0.0f;

    // all teams make the same number of rounds, because of the barriers
    const int rounds = (N + SLAB * TEAMS - 1) / (SLAB * TEAMS);

    for (int round = 0; round < rounds; ++round) {
        const int k0 = (round * TEAMS + team) * SLAB;

        for (int e = member; e < TILE * SLAB; e += SIDE * SIDE) {
            a[team][e / SLAB][e % SLAB] = safe(A, top + e / SLAB, k0 + e % SLAB, N);
            b[team][e / TILE][e % TILE] = safe(B, k0 + e / TILE, left + e % TILE, N);
        }
        __syncthreads();

        for (int k = 0; k < SLAB; ++k)
            for (int i = 0; i < MINE; ++i)
                for (int j = 0; j < MINE; ++j)
                    acc[i][j] += a[team][y + i * SIDE][k] * b[team][k][x + j * SIDE];
        __syncthreads();
    }

    // merge
    for (int i = 0; i < MINE; ++i)
        for (int j = 0; j < MINE; ++j) {
            const int r = y + i * SIDE;
            const int c = x + j * SIDE;
            merged[r][c] += acc[i][j];
        }
    __syncthreads();

    // everybody stores
    for (int e = everybody; e < TILE * TILE; e += SIDE * SIDE * TEAMS) {
        const int r = top + e / TILE;
        const int c = left + e % TILE;
        if (r < N && c < N)
            C[r * N + c] = merged[e / TILE][e % TILE];
    }
}

LAUNCH(.block = {SIDE, SIDE, TEAMS}, .tile = {TILE, TILE});
