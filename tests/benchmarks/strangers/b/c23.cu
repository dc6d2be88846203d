#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[T][T];
    __shared__ float bs[T][2 * T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * 2 * T;
    if (col >= N) return;  // the same for all threads of the block

    const int row = blockIdx.y * T + ty;
    float c0 = 0.f, c1 = 0.f;
    for (int k0 = 0; k0 < N; k0 += T) {
        as[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.f;
        for (int h = 0; h < 2; ++h) {
            int c = col + tx + h * T;
            bs[ty][tx + h * T] = k0 + ty < N && c < N ? B[(k0 + ty) * N + c] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < T; ++k) {
            c0 += as[ty][k] * bs[k][tx];
            c1 += as[ty][k] * bs[k][tx + T];
        }
        __syncthreads();
    }
    if (row < N && col + tx < N) C[row * N + col + tx] = c0;
    if (row < N && col + tx + T < N) C[row * N + col + tx + T] = c1;
}

LAUNCH(.block = {T, T});
