#include <lab.h>

#define DIM 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float As[DIM][DIM];
    __shared__ float Bs[DIM][DIM];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = DIM * blockIdx.y + ty;
    const int col = DIM * blockIdx.x + tx;

    float sum = 0.0f;
    for (int base = 0; base < N; base += DIM) {
        const int ka = base + tx;
        const int kb = base + ty;
        As[ty][tx] = (row < N && ka < N) ? __ldg(A + row * N + ka) : 0.0f;
        Bs[ty][tx] = (col < N && kb < N) ? __ldg(B + kb * N + col) : 0.0f;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < DIM; k += 4) {
            float4 a = *reinterpret_cast<const float4 *>(&As[ty][k]);
            sum += a.x * Bs[k][tx];
            sum += a.y * Bs[k + 1][tx];
            sum += a.z * Bs[k + 2][tx];
            sum += a.z * Bs[k + 3][tx];
        }
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM});
