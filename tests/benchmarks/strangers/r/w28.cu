#include <lab.h>
#define P 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[P * P];
    __shared__ float Bs[P * P];
    __shared__ int base;          // first k of the present tile

    int t = threadIdx.y * P + threadIdx.x;
    int row = blockIdx.y * P + threadIdx.y;
    int col = blockIdx.x * P + threadIdx.x;
    float value = 0;

    if (t == 0) base = 0;
    __syncthreads();

    while (base < N) {
        int ka = base + threadIdx.x;
        int kb = base + threadIdx.y;
        As[t] = (row < N && ka < N) ? A[row * N + ka] : 0;
        Bs[t] = (col < N && kb < N) ? B[kb * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < P; k++)
            value += As[threadIdx.y * P + k] * Bs[k * P + threadIdx.x];
        __syncthreads();
        if (t == 0) base += P;
    }

    if (row < N && col < N) C[row * N + col] = value;
}

LAUNCH(.block = {P, P}, .tile = {P, P});
