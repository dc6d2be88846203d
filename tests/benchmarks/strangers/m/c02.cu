#include <lab.h>
#define T 16

// three buffers in turn, so that one barrier for each tile is enough
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float buf[3][2][T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    int n = (N + T - 1) / T;
    float sum = 0.0f;

    buf[0][0][ty][tx] = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    buf[0][1][ty][tx] = (ty < N && col < N) ? B[ty * N + col] : 0.0f;
    for (int t = 0; t < n; ++t) {
        if (t + 1 < n) {
            int k0 = (t + 1) * T, d = (t + 1) % 3;
            buf[d][0][ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
            buf[d][1][ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        }
        __syncthreads();
        const float (*a)[T] = buf[t % 3][0];
        const float (*b)[T] = buf[t % 3][1];
        for (int k = 0; k < T; ++k)
            sum += a[ty][k] * b[k][tx];
    }
    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
