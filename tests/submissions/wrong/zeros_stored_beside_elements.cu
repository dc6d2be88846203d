// expect: data-race; lines: 14, 17; says: is to replace
// Tiles at the edge are set to zero, and then filled by other threads, with no barrier in between.
#include <lab.h>

#define SIDE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[SIDE * SIDE], b[SIDE * SIDE];
    int x = threadIdx.x, y = threadIdx.y, number = y * SIDE + x;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    float sum = 0;
    for (int first = 0; first < N; first += SIDE) {
        a[SIDE * SIDE - 1 - number] = 0;
        b[SIDE * SIDE - 1 - number] = 0;
        if (row < N && first + x < N)
            a[number] = A[row * N + first + x];
        if (first + y < N && col < N)
            b[number] = B[(first + y) * N + col];
        __syncthreads();
        for (int k = 0; k < SIDE; ++k)
            sum += a[y * SIDE + k] * b[k * SIDE + x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
