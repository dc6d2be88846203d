#include <lab.h>

#define PARTS 7     // warps of a block; each takes every seventh k
#define HEIGHT 5    // rows of a tile

// Split-K inside the block, with sizes that are no powers of two
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[PARTS][HEIGHT][32];
    const int lane = threadIdx.x;
    const int w = threadIdx.y;
    const int top = blockIdx.y * HEIGHT;
    const int left = blockIdx.x * 32;
    const int col = left + lane;

    float sum[HEIGHT] = {0};
    for (int k = w; k < N; k += PARTS) {
        const float b = col < N ? B[k * N + col] : 0.0f;
        for (int i = 0; i < HEIGHT; i++)
            sum[i] += top + i < N ? A[(top + i) * N + k] * b : 0.0f;
    }
    for (int i = 0; i < HEIGHT; i++)
        part[w][i][lane] = sum[i];

    __syncthreads();

    // all threads of the block share the additions
    for (int e = w * 32 + lane; e < HEIGHT * 32; e += PARTS * 32) {
        const int i = e / 32, j = e % 32;
        float total = 0.0f;
        for (int p = 0; p < PARTS; p++)
            total += part[p][i][j];
        if (top + i < N && left + j < N)
            C[(top + i) * N + left + j] = total;
    }
}

LAUNCH(.block = {32, PARTS}, .tile = {32, HEIGHT});
