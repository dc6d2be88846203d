#include <lab.h>

// Four teams of 64 threads split k among them. A team has its own tiles and its own (named) barrier,
// so the teams do not wait for each other until the reduction at the end.
#define TEAMS 4
#define S 16

__device__ __forceinline__ void teamBarrier(int team)
{
    asm volatile("bar.sync %0, 64;" :: "r"(team + 1) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TEAMS][S][S], b[TEAMS][S][S];
    const int team = threadIdx.y;
    const int x = threadIdx.x % S, y = threadIdx.x / S;   // y = 0..3
    const int row0 = blockIdx.y * S, col = blockIdx.x * S + x;
    float v[4] = {};

    for (int k0 = team * S; k0 < N; k0 += TEAMS * S) {
        for (int q = y; q < S; q += 4) {
            a[team][q][x] = row0 + q < N && k0 + x < N ? A[(row0 + q) * N + k0 + x] : 0.0f;
            b[team][q][x] = k0 + q < N && col < N ? B[(k0 + q) * N + col] : 0.0f;
        }
        teamBarrier(team);
        for (int k = 0; k < S; ++k)
            for (int q = 0; q < 4; ++q)
                v[q] += a[team][y + 4 * q][k] * b[team][k][x];
        teamBarrier(team);
    }

    for (int q = 0; q < 4; ++q)
        a[team][y + 4 * q][x] = v[q];
    __syncthreads();
    // 256 threads, one element each
    const int row = team * 4 + y;
    if (row0 + row < N && col < N) {
        float sum = 0.0f;
        for (int g = 0; g < TEAMS; ++g)
            sum += a[g][row][x];
        C[(row0 + row) * N + col] = sum;
    }
}

LAUNCH(.block = {64, TEAMS}, .tile = {S, S});
