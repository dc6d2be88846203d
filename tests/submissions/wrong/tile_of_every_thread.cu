// expect: unset-memory; says: without __shared__
// The tile of B lacks __shared__: every thread has one of its own and sets one element of it.
#include <lab.h>

#define SIDE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[SIDE][SIDE];
    float b[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    float sum = 0;
    for (int first = 0; first < N; first += SIDE) {
        a[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0;
        b[y][x] = col < N && first + y < N ? B[(first + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < SIDE; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
