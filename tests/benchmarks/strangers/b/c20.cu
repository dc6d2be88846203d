#include <lab.h>
#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T], b[2][T][T];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;

    for (int t = 0; t * T < N; t++) {
        // Only one barrier: whoever writes buffer t & 1 again has passed the barrier of t + 1, and all threads reach
        // that one only after they have computed with buffer t & 1.
        float (*as)[T] = a[t & 1];
        float (*bs)[T] = b[t & 1];
        as[y][x] = row < N && t * T + x < N ? A[row * N + t * T + x] : 0;
        bs[y][x] = col < N && t * T + y < N ? B[(t * T + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < T; k++) sum += as[y][k] * bs[k][x];
    }
    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
