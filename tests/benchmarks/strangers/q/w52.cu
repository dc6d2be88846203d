#include <lab.h>
#define TW 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float mem[];
    float *ma = mem;
    float *mb = mem + TW * TW;
    const int i = threadIdx.y * TW + threadIdx.x;
    const int riga = blockIdx.y * TW + threadIdx.y;
    const int colonna = blockIdx.x * TW + threadIdx.x;

    float somma = 0.f;
    for (int k0 = 0; k0 < N; k0 += TW) {
        const int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        ma[i] = (riga < N && ka < N) ? A[riga * N + ka] : 0.f;
        mb[i] = (kb < N && colonna < N) ? B[kb * N + colonna] : 0.f;
        __syncthreads();
        for (int k = 0; k < TW; ++k)
            somma += ma[threadIdx.y * TW + k] * mb[k * TW + threadIdx.x];
        __syncthreads();
    }
    if (riga < N && colonna < N)
        C[riga * N + colonna] = somma;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW}, .shared = 2 * TW * TW);
