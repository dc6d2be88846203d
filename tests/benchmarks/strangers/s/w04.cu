#include <lab.h>

// Practica 4, master en bioinformatica. Producto por bloques.
#define LADO 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bloqueA[LADO][LADO];
    __shared__ float bloqueB[LADO][LADO];

    int tx = threadIdx.x, ty = threadIdx.y;
    int fila = blockIdx.y * LADO + ty;
    int columna = blockIdx.x * LADO + tx;

    float suma = 0.0f;
    int pasos = (N + LADO - 1) / LADO;

    for (int p = 0; p < pasos; p++) {
        int ka = p * LADO + tx;   // columna de A
        int kb = p * LADO + ty;   // fila de B

        if (fila < N && ka < N)
            bloqueA[ty][tx] = A[fila * N + ka];
        if (kb < N && columna < N)
            bloqueB[ty][tx] = B[kb * N + columna];
        __syncthreads();

        for (int k = 0; k < LADO; k++)
            suma += bloqueA[ty][k] * bloqueB[k][tx];
        __syncthreads();
    }

    if (fila < N && columna < N)
        C[fila * N + columna] = suma;
}

LAUNCH(.block = {LADO, LADO}, .tile = {LADO, LADO});
