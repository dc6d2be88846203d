// expect: ok
// One warp loads three stages of tiles for two groups of four warps. Each stage has a numbered barrier that says it is
// full, and each group one per stage that says it is empty for this group.
#include <lab.h>

#define T 16
#define STAGES 3
#define FULL 1
#define EMPTY 4

__device__ void arrive_at(int barrier, int threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ void wait_at(int barrier, int threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[STAGES][T][T], b[STAGES][T][T];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tiles = (N + T - 1) / T;
    if (warp == 8) {
        for (int i = 0; i < tiles; ++i) {
            int s = i % STAGES;
            if (i >= STAGES)
                for (int group = 0; group < 2; ++group)
                    wait_at(EMPTY + 2 * s + group, 160);
            for (int j = lane; j < T * T; j += 32) {
                int y = j / T, x = j % T, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
                a[s][y][x] = row < N && i * T + x < N ? A[row * N + i * T + x] : 0.0f;
                b[s][y][x] = i * T + y < N && col < N ? B[(i * T + y) * N + col] : 0.0f;
            }
            arrive_at(FULL + s, 288);
        }
        return;
    }
    int y = threadIdx.x / T, x = threadIdx.x % T, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int i = 0; i < tiles; ++i) {
        int s = i % STAGES;
        wait_at(FULL + s, 288);
        for (int k = 0; k < T; ++k)
            sum += a[s][y][k] * b[s][k][x];
        if (i + STAGES < tiles)
            arrive_at(EMPTY + 2 * s + warp / 4, 160);
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {288}, .tile = {T, T});
