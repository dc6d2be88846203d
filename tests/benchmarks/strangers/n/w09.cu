#include <lab.h>

constexpr int TD = 32;

extern __shared__ float dyn[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *pa = dyn;
    float *pb = dyn + TD * TD;
    const int me = threadIdx.y * TD + threadIdx.x;
    const int row = blockIdx.y * TD + threadIdx.y;
    const int col = blockIdx.x * TD + threadIdx.x;

    float sum = 0.f;
    for (int k0 = 0; k0 < N; k0 += TD) {
        pa[me] = row < N && k0 + threadIdx.x < N ? A[row * N + k0 + threadIdx.x] : 0.f;
        pb[me] = col < N && k0 + threadIdx.y < N ? B[(k0 + threadIdx.y) * N + col] : 0.f;
        __syncthreads();
        for (int k = 0; k < TD; ++k)
            sum += pa[threadIdx.y * TD + k] * pb[k * TD + threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TD, TD}, .tile = {TD, TD}, .shared = 2 * TD * TD);
