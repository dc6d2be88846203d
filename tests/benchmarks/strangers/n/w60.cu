#include <lab.h>

// Two layers of 16 x 16 threads: one takes the even tiles, the other the odd ones.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][16][16];
    __shared__ float b[2][16][17];
    __shared__ float other[16][16];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int row = blockIdx.y * 16 + y;
    const int col = blockIdx.x * 16 + x;
    const int tiles = (N + 15) / 16;

    float sum = 0.0f;
    for (int t = z; t < tiles; t += 2) {
        const int ka = 16 * t + x, kb = 16 * t + y;
        a[z][y][x] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        b[z][y][x] = kb < N && col < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sum += a[z][y][k] * b[z][k][x];
        __syncthreads();
    }

    if (z == 1)
        other[y][x] = sum;
    __syncthreads();
    if (z == 0 && row < N && col < N)
        C[row * N + col] = sum + other[y][x];
}

LAUNCH(.block = {16, 16, 2}, .tile = {16, 16});
