#include <lab.h>

#define Q 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float dyn[];
    float *ta = dyn;
    float *tb = &dyn[Q * Q];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * Q + tx;
    const int row = blockIdx.y * Q + ty;

    float c = 0.0f;
    for (int k0 = 0; k0 < N; k0 += Q) {
        ta[ty * Q + tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        tb[ty * Q + tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < Q; ++k)
            c += ta[ty * Q + k] * tb[k * Q + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = c;
}

LAUNCH(.block = {Q, Q}, .tile = {Q, Q}, .shared = 2 * Q * Q);
