#include <lab.h>

#define WIDTH 16

// copies one tile to shared memory, zero outside
__device__ void fetch(float tile[WIDTH][WIDTH], const float *M, int r, int c, int n)
{
    tile[threadIdx.y][threadIdx.x] = 0.0f;
    if (r >= n || c >= n)
        return;
    tile[threadIdx.y][threadIdx.x] = M[r * n + c];
    __syncthreads();
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[WIDTH][WIDTH];
    __shared__ float b[WIDTH][WIDTH];

    int r = blockIdx.y * WIDTH + threadIdx.y;
    int c = blockIdx.x * WIDTH + threadIdx.x;
    float x = 0.0f;

    for (int w = 0; w < N; w += WIDTH) {
        fetch(a, A, r, w + threadIdx.x, N);
        fetch(b, B, w + threadIdx.y, c, N);

        for (int k = 0; k < WIDTH; ++k)
            x += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }

    if (r < N && c < N)
        C[r * N + c] = x;
}

LAUNCH(.block = {WIDTH, WIDTH}, .tile = {WIDTH, WIDTH});
