#include <lab.h>

#define WIDTH 32
#define STEP 8
#define PER (WIDTH / STEP)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[WIDTH][WIDTH];
    __shared__ float Bs[WIDTH][WIDTH];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * WIDTH + tx;
    const int row = blockIdx.y * WIDTH + ty;
    float acc[PER] = {0.0f};

    for (int k0 = 0; k0 < N; k0 += WIDTH) {
        for (int i = 0; i < PER; ++i) {
            const int y = ty + i * STEP;
            const int r = row + i * STEP;
            As[y][tx] = r < N && k0 + tx < N ? A[r * N + k0 + tx] : 0.0f;
            Bs[y][tx] = col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < WIDTH; ++k) {
            const float b = Bs[k][tx];
            for (int i = 0; i < PER; ++i)
                acc[i] = fmaf(acc[i], As[ty + i * STEP][k], b);
        }
        __syncthreads();
    }

    for (int i = 0; i < PER; ++i)
        if (row + i * STEP < N && col < N)
            C[(row + i * STEP) * N + col] = acc[i];
}

LAUNCH(.block = {WIDTH, STEP}, .tile = {WIDTH, WIDTH});
