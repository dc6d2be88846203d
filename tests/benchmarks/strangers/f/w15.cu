#include <lab.h>
#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T + 1];
    __shared__ float b[T][T + 1];

    int x = threadIdx.x, y = threadIdx.y;
    int i = blockIdx.y * T + y;
    int j = blockIdx.x * T + x;
    float dot = 0.0f;

    for (int t = 0; t < N; t += T) {
        a[y][x] = (i < N && t + x < N) ? A[i * N + t + x] : 0.0f;
        b[y][x] = (t + y < N && j < N) ? B[(t + y) * N + j] : 0.0f;
        __syncthreads();

        // transpose b, so that both tiles are read along their rows
        float tmp = b[x][y];
        b[y][x] = tmp;
        __syncthreads();

        for (int k = 0; k < T; k++)
            dot += a[y][k] * b[x][k];
        __syncthreads();
    }

    if (i < N && j < N)
        C[i * N + j] = dot;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
