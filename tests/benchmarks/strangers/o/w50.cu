#include <lab.h>

// Prodotto di matrici: un thread per ogni elemento di C

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int riga    = blockDim.y * blockIdx.y + threadIdx.y;
    int colonna = blockDim.x * blockIdx.x + threadIdx.x;

    if (riga < N && colonna < N) {
        float somma;
        for (int k = 0; k < N; k++)
            somma += A[riga * N + k] * B[k * N + colonna];
        C[riga * N + colonna] = somma;
    }
}

LAUNCH(.block = {8, 8}, .tile = {8, 8});
