// expect: wrong-answer; says: also those outside of C / Zeros are multiplied instead
// Only threads inside C load: the tiles lack what those outside should load for the others.
#include <lab.h>
#define T 16
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T], b[T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float s = 0;
    for (int k0 = 0; k0 < N; k0 += T) {
        a[y][x] = row < N && col < N && k0 + x < N ? A[row * N + k0 + x] : 0;
        b[y][x] = row < N && col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < T; ++k) s += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = s;
}
