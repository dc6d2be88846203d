// expect: data-race; lines: 15, 22; says: which follows in the next iteration of the loop
// Resets the variable that ends the loop before all threads have looked at it.
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ bool any;
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x, k = 0;
    bool inside = row < N && col < N;
    float sum = 0.0f;
    for (;;) {
        if (threadIdx.x == 0 && threadIdx.y == 0)
            any = false;
        __syncthreads();
        for (int last = k + T; inside && k < min(N, last); ++k) {
            sum += A[row * N + k] * B[k * N + col];
            any = true;
        }
        __syncthreads();
        if (!any)
            break;
    }
    if (inside)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
