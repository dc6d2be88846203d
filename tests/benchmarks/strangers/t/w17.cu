#include <lab.h>
enum { DIM = 16 };

typedef float Mattonella[DIM][DIM];

__device__ void carica(Mattonella m, const float *src, int r0, int c0, int n)
{
    int r = r0 + threadIdx.y;
    int c = c0 + threadIdx.x;
    m[threadIdx.y][threadIdx.x] = (r < n && c < n) ? src[r * n + c] : 0.0f;
}

__device__ float prodotto(Mattonella a, Mattonella b)
{
    float s = 0.0f;
    for (int k = 0; k < DIM; k++)
        s += a[threadIdx.y][k] * b[k][threadIdx.x];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Mattonella mA, mB;
    float risultato = 0.0f;

    for (int k0 = 0; k0 < N; k0 += DIM)
    {
        carica(mA, A, blockIdx.y * DIM, k0, N);
        carica(mB, B, k0, blockIdx.x * DIM, N);
        risultato += prodotto(mA, mB);
        __syncthreads();
    }

    int riga = blockIdx.y * DIM + threadIdx.y;
    int colonna = blockIdx.x * DIM + threadIdx.x;
    if (riga < N && colonna < N)
        C[riga * N + colonna] = risultato;
}

LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM});
