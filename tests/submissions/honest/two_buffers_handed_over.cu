// expect: ok
// One half of the block fills two buffers in turn, and the other half multiplies. Each announces a full or an empty
// buffer with bar.arrive, which does not wait, and waits for the other with bar.sync; 0 is never used.
#include <lab.h>

#define TILE 16
#define FULL 1
#define EMPTY 3

__device__ void arrive_at(int barrier)
{
    asm volatile("bar.arrive %0, 512;" ::"r"(barrier) : "memory");
}

__device__ void wait_at(int barrier)
{
    asm volatile("bar.sync %0, 512;" ::"r"(barrier) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int step = 0; step * TILE < N; ++step) {
        int buffer = step % 2, first = step * TILE;
        if (threadIdx.z == 0) {
            if (step > 1)
                wait_at(EMPTY + buffer);
            As[buffer][ty][tx] = (row < N && first + tx < N) ? A[row * N + first + tx] : 0.0f;
            Bs[buffer][ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
            arrive_at(FULL + buffer);
        } else {
            wait_at(FULL + buffer);
            for (int k = 0; k < TILE; ++k)
                sum += As[buffer][ty][k] * Bs[buffer][k][tx];
            if ((step + 2) * TILE < N)
                arrive_at(EMPTY + buffer);
        }
    }
    if (threadIdx.z == 1 && row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE, 2}, .tile = {TILE, TILE});
