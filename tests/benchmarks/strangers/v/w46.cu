#include <lab.h>

#define MATTONELLA 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[MATTONELLA][MATTONELLA];
    __shared__ float Bs[MATTONELLA][MATTONELLA];

    int riga = MATTONELLA * blockIdx.y + threadIdx.y;
    int colonna = MATTONELLA * blockIdx.x + threadIdx.x;
    float prodotto = 0;

    for (int inizio = 0; inizio < N; inizio += MATTONELLA) {
        // every thread brings one element of each matrix
        As[threadIdx.y][threadIdx.x] = 0;
        Bs[threadIdx.y][threadIdx.x] = 0;
        if (riga < N && inizio + threadIdx.x < N)
            As[threadIdx.y][threadIdx.x] = A[riga * N + inizio + threadIdx.x];
        if (inizio + threadIdx.y < N && colonna < N)
            Bs[threadIdx.y][threadIdx.x] = B[(inizio + threadIdx.y) * N + colonna];
        __syncthreads();

        if (riga >= N || colonna >= N)
            continue;   // this thread has no element of C

        for (int k = 0; k < MATTONELLA; ++k)
            prodotto += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (riga < N && colonna < N)
        C[riga * N + colonna] = prodotto;
}

LAUNCH(.block = {MATTONELLA, MATTONELLA}, .tile = {MATTONELLA, MATTONELLA});
