// expect: data-race; lines: 28, 43; says: line 43 reads element 0 of the shared array a
// One warp loads two stages; the multiplying warps say that a stage is empty before they have used it.
#include <lab.h>

#define T 16

__device__ void arrive_at(int barrier, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ void wait_at(int barrier, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T], b[2][T][T];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tiles = (N + T - 1) / T;
    if (warp == 8) {
        for (int i = 0; i < tiles; ++i) {
            int s = i % 2;
            if (i >= 2)
                wait_at(3 + s, 288);
            for (int j = lane; j < T * T; j += 32) {
                int y = j / T, x = j % T, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
                a[s][y][x] = row < N && i * T + x < N ? A[row * N + i * T + x] : 0.0f;
                b[s][y][x] = i * T + y < N && col < N ? B[(i * T + y) * N + col] : 0.0f;
            }
            arrive_at(1 + s, 288);
        }
        return;
    }
    int y = threadIdx.x / T, x = threadIdx.x % T, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int i = 0; i < tiles; ++i) {
        int s = i % 2;
        wait_at(1 + s, 288);
        if (i + 2 < tiles)
            arrive_at(3 + s, 288);
        for (int k = 0; k < T; ++k)
            sum += a[s][y][k] * b[s][k][x];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {288}, .tile = {T, T});
