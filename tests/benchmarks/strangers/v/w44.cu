#include <lab.h>

// Accurate version: Kahan summation, as we did in the numerics lecture (Numerik II).
#define P 16

struct KahanSum {
    float sum;
    float comp;

    __device__ KahanSum() : sum(0.0f), comp(0.0f) {}

    __device__ void add(float x)
    {
        float y = x - comp;
        float t = sum + y;
        comp = (t - sum) + y;
        sum = t;
    }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int zeile = blockIdx.y * P + threadIdx.y;
    const int spalte = blockIdx.x * P + threadIdx.x;
    __shared__ float a[P][P], b[P][P];

    KahanSum acc;
    for (int k0 = 0; k0 < N; k0 += P) {
        a[threadIdx.y][threadIdx.x] =
            zeile < N && k0 + threadIdx.x < N ? A[zeile * N + k0 + threadIdx.x] : 0.0f;
        b[threadIdx.y][threadIdx.x] =
            k0 + threadIdx.y < N && spalte < N ? B[(k0 + threadIdx.y) * N + spalte] : 0.0f;
        __syncthreads();
        for (int k = 0; k < P; ++k)
            acc.add(__fmul_rn(a[threadIdx.y][k], b[k][threadIdx.x]));
        __syncthreads();
    }
    if (zeile < N && spalte < N)
        C[zeile * N + spalte] = acc.sum;
}

LAUNCH(.block = {P, P}, .tile = {P, P});
