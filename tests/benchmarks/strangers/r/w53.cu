#include <lab.h>

#define L 16

extern __shared__ float pool[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *As = pool;
    float *Bs = pool + L * L;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int gx = blockIdx.x * L + tx;
    const int gy = blockIdx.y * L + ty;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += L) {
        As[ty * L + tx] = gy < N && k0 + tx < N ? A[gy * N + k0 + tx] : 0.0f;
        Bs[ty * L + tx] = gx < N && k0 + ty < N ? B[(k0 + ty) * N + gx] : 0.0f;
        __syncthreads();
        for (int k = 0; k < L; k++)
            sum += As[ty * L + k] * Bs[k * L + tx];
        __syncthreads();
    }

    if (gx < N && gy < N)
        C[gy * N + gx] = sum;
}

LAUNCH(.block = {L, L}, .tile = {L, L}, .shared = L * L * sizeof(float));
