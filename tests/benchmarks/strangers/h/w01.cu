#include <lab.h>
#include <cuda_fp16.h>

#define T 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // half the shared memory, so twice as many blocks fit on an SM
    __shared__ __half sA[T][T], sB[T][T];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += T) {
        float a = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        float b = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        sA[ty][tx] = __float2half(a);
        sB[ty][tx] = __float2half(b);
        __syncthreads();
        for (int k = 0; k < T; ++k)
            acc += __half2float(sA[ty][k]) * __half2float(sB[k][tx]);
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
