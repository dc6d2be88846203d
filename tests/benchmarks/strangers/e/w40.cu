#include <lab.h>

#define T 16

extern __shared__ float buffer[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *tA = buffer;
    float *tB = buffer + T * T;
    int c = threadIdx.x, r = threadIdx.y;
    int gc = blockIdx.x * T + c, gr = blockIdx.y * T + r;
    float sum = 0.0f;

    for (int s = 0; s < (N + T - 1) / T; s++) {
        tA[r * T + c] = (gr < N && s * T + c < N) ? A[gr * N + s * T + c] : 0.0f;
        tB[r * T + c] = (gc < N && s * T + r < N) ? B[(s * T + r) * N + gc] : 0.0f;
        __syncthreads();
        for (int k = 0; k < T; k++)
            sum += tA[r * T + k] * tB[k * T + c];
        __syncthreads();
    }

    if (gr < N && gc < N)
        C[gr * N + gc] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T}, .shared = 2 * T * T);
