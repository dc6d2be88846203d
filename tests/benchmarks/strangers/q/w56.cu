#include <lab.h>
#define S 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float u[S][S];
    __shared__ float v[S][S];
    int r = blockIdx.y * S + threadIdx.y;
    int c = blockIdx.x * S + threadIdx.x;
    float w = 0.0f;

    if (r < N && c < N) {
        for (int q = 0; q < N; q += S) {
            int ka = q + threadIdx.x;
            int kb = q + threadIdx.y;
            u[threadIdx.y][threadIdx.x] = (r < N && ka < N) ? A[r * N + ka] : 0.0f;
            v[threadIdx.y][threadIdx.x] = (c < N && kb < N) ? B[kb * N + c] : 0.0f;
            __syncthreads();
            for (int k = 0; k < S; k++)
                w += u[threadIdx.y][k] * v[k][threadIdx.x];
            __syncthreads();
        }
    }
    if (r < N && c < N)
        C[r * N + c] = w;
}

LAUNCH(.block = {S, S}, .tile = {S, S});
