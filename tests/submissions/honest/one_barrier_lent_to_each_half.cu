// expect: ok
// The halves of the block add their partial sums one after the other, and use one numbered barrier for it: a barrier of
// the whole block is between the two, so that their arrivals do not meet.
#include <lab.h>

#define WIDTH 16
#define HALF 128

__device__ void wait_for_half()
{
    asm volatile("bar.sync 1, 128;" ::: "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float parts[HALF], result[2][WIDTH];
    int t = threadIdx.x, half = t / HALF, own = t % HALF, x = own % WIDTH, part = own / WIDTH;
    int row = 2 * blockIdx.y + half, col = blockIdx.x * WIDTH + x;
    float sum = 0.0f;
    for (int k = part; row < N && col < N && k < N; k += HALF / WIDTH)
        sum += A[row * N + k] * B[k * N + col];
    for (int turn = 0; turn < 2; ++turn) {
        if (turn == half) {
            parts[own] = sum;
            wait_for_half();
            for (int stride = HALF / 2; stride >= WIDTH; stride /= 2) {
                if (own < stride)
                    parts[own] += parts[own + stride];
                wait_for_half();
            }
            if (part == 0)
                result[half][x] = parts[x];
        }
        __syncthreads();
    }
    if (part == 0 && row < N && col < N)
        C[row * N + col] = result[half][x];
}

LAUNCH(.block = {2 * HALF}, .tile = {WIDTH, 2});
