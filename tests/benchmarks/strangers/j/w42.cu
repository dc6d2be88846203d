#include <lab.h>

#define T 16
#define PITCH (T + 1)

__shared__ float sA[T * T];
__shared__ float sB[T * T];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int r = threadIdx.y, c = threadIdx.x;
    int row = blockIdx.y * T + r;
    int col = blockIdx.x * T + c;
    float total = 0.0f;

    for (int p = 0; p < N; p += T) {
        sA[r * T + c] = (row < N && p + c < N) ? A[row * N + p + c] : 0.0f;
        sB[c * PITCH + r] = (p + r < N && col < N) ? B[(p + r) * N + col] : 0.0f;   // transposed
        __syncthreads();
        for (int k = 0; k < T; ++k)
            total += sA[r * T + k] * sB[c * PITCH + k];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = total;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
