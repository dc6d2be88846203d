#include <lab.h>

/* Laboratorio di calcolo, esercizio 6: prodotto a tasselli */
enum { LATO = 16 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[LATO][LATO];
    __shared__ float tb[LATO][LATO];
    int c = threadIdx.x;
    int r = threadIdx.y;
    int riga = blockIdx.y * LATO + r;
    int colonna = blockIdx.x * LATO + c;
    float somma = 0.f;

    int passi = N / LATO;
    for (int p = 0; p < passi; ++p) {
        int inizio = p * LATO;
        ta[r][c] = riga < N && inizio + c < N ? A[riga * N + inizio + c] : 0.f;
        tb[r][c] = inizio + r < N && colonna < N ? B[(inizio + r) * N + colonna] : 0.f;
        __syncthreads();
        for (int k = 0; k < LATO; ++k)
            somma += ta[r][k] * tb[k][c];
        __syncthreads();
    }

    if (riga < N && colonna < N) C[riga * N + colonna] = somma;
}

LAUNCH(.block = {LATO, LATO}, .tile = {LATO, LATO});
