#include <lab.h>

/* Laboratorio di calcolo, esercizio 7: copia a strisce di B nella memoria condivisa */
enum { LATO = 16, PASSO = 16 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float striscia[PASSO][LATO];
    int riga = blockIdx.y * LATO + threadIdx.y;
    int colonna = blockIdx.x * LATO + threadIdx.x;
    bool attivo = riga < N && colonna < N;
    float somma = 0.f;

    for (int k0 = 0; k0 < N; k0 += PASSO) {
        int k = k0 + threadIdx.y;
        if (k < N && colonna < N)
            striscia[threadIdx.y][threadIdx.x] = B[k * N + colonna];
        if (attivo) __syncthreads();

        int fine = min(PASSO, N - k0);
        if (attivo)
            for (int j = 0; j < fine; ++j)
                somma += A[riga * N + k0 + j] * striscia[j][threadIdx.x];
        __syncthreads();
    }

    if (attivo) C[riga * N + colonna] = somma;
}

LAUNCH(.block = {LATO, LATO}, .tile = {LATO, LATO});
