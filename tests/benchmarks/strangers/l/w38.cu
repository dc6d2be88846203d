#include <lab.h>
#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;

    float nextA = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    float nextB = (col < N && ty < N) ? B[ty * N + col] : 0.0f;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += T) {
        As[ty][tx] = nextA;
        Bs[ty][tx] = nextB;
        __syncthreads();

        // ask for the next tile while this one is used
        const int k1 = k0 + T;
        nextA = (row < N) ? A[row * N + k1 + tx] : 0.0f;
        nextB = (col < N && k1 + ty < N) ? B[(k1 + ty) * N + col] : 0.0f;

        for (int k = 0; k < T; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
