// Übung 4, Matrixprodukt -- ported from my F90 routine dgemm_simple
#include <lab.h>

#define NB 16
// indices start at 1 as in the Fortran version
#define AA(i, j) A[((i) - 1) * N + ((j) - 1)]
#define BB(i, j) B[((i) - 1) + ((j) - 1) * N]
#define CC(i, j) C[((i) - 1) * N + ((j) - 1)]

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i, j, l;
    float temp;

    i = blockIdx.y * NB + threadIdx.y + 1;   // Zeile
    j = blockIdx.x * NB + threadIdx.x + 1;   // Spalte

    if (i <= N && j <= N) {
        temp = 0.0f;
        for (l = 1; l <= N; l++) {
            temp = temp + AA(i, l) * BB(l, j);
        }
        CC(i, j) = temp;
    }
}

LAUNCH(.block = {NB, NB}, .tile = {NB, NB});
