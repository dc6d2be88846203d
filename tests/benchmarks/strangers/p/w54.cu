#include <lab.h>
#define P 16

extern __shared__ float mem[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *ma = mem;
    float *mb = mem + P * P;
    const int oszlop = blockIdx.x * P + threadIdx.x;
    const int sor    = blockIdx.y * P + threadIdx.y;
    const int hely   = threadIdx.y * P + threadIdx.x;

    float osszeg = 0.0f;
    for (int lepes = 0; lepes < N; lepes += P) {
        ma[hely] = sor < N && lepes + threadIdx.x < N ? A[sor * N + lepes + threadIdx.x] : 0.0f;
        mb[hely] = oszlop < N && lepes + threadIdx.y < N ? B[(lepes + threadIdx.y) * N + oszlop] : 0.0f;
        __syncthreads();
        for (int k = 0; k < P; k++)
            osszeg += ma[threadIdx.y * P + k] * mb[k * P + threadIdx.x];
        __syncthreads();
    }
    if (sor < N && oszlop < N)
        C[sor * N + oszlop] = osszeg;
}

LAUNCH(.block = {P, P}, .tile = {P, P}, .shared = 2 * P * P);
