// Shared-memory bank conflicts: the threads of a warp read one column of the tile of A, which is 64 bytes wide.
#include <lab.h>

constexpr int HEIGHT = 32, WIDTH = 8, DEPTH = 16;
#ifdef FIXED
constexpr int LINE = DEPTH + 1;
#else
constexpr int LINE = DEPTH;
#endif

// The threads of a warp compute a column of 32 elements of C.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[HEIGHT * LINE], Bs[DEPTH * WIDTH];
    const int thread = threadIdx.y * HEIGHT + threadIdx.x;
    const int row = blockIdx.y * HEIGHT + threadIdx.x, col = blockIdx.x * WIDTH + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = thread; i < HEIGHT * DEPTH; i += HEIGHT * WIDTH) {
            const int r = blockIdx.y * HEIGHT + i / DEPTH, k = first + i % DEPTH;
            As[i / DEPTH * LINE + i % DEPTH] = r < N && k < N ? A[r * N + k] : 0;
        }
        if (thread < DEPTH * WIDTH) {
            const int k = first + thread / WIDTH, c = blockIdx.x * WIDTH + thread % WIDTH;
            Bs[thread] = k < N && c < N ? B[k * N + c] : 0;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k)
            sum += As[threadIdx.x * LINE + k] * Bs[k * WIDTH + threadIdx.y];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {HEIGHT, WIDTH}, .tile = {WIDTH, HEIGHT});
