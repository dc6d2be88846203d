// A tile that is too small: 2 x 32 elements of C for each block.
// device: v100
#include <lab.h>

#ifdef FIXED
#define HEIGHT 32
#else
#define HEIGHT 2
#endif
#define WIDTH 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[HEIGHT][WIDTH], b[WIDTH][WIDTH];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * HEIGHT + y, col = blockIdx.x * WIDTH + x;
    float sum = 0.0f;
    for (int first = 0; first < N; first += WIDTH) {
        a[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0.0f;
        for (int k = y; k < WIDTH; k += HEIGHT)
            b[k][x] = first + k < N && col < N ? B[(first + k) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < WIDTH; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {WIDTH, HEIGHT}, .tile = {WIDTH, HEIGHT});
