#include <lab.h>

#define W 32
#define D 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float strip[D][W];
    const int x = threadIdx.x, y = threadIdx.y;
    const int col = blockIdx.x * W + x;
    const int row = blockIdx.y * 16 + y;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += D) {
        if (y < D) {
            strip[y][x] = k0 + y < N && col < N ? B[(k0 + y) * N + col] : 0.0f;
            __syncthreads();
        }
        if (row < N) {
            const int depth = min(D, N - k0);
            for (int k = 0; k < depth; ++k)
                sum += A[row * N + k0 + k] * strip[k][x];
        }
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {W, 16}, .tile = {W, 16});
