#include <lab.h>

// Laboratorio de computacion paralela, practica 5: memoria compartida dinamica
#define LADO 32
#define NTILE (LADO * LADO)

extern __shared__ float memoria[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *subA = memoria;
    float *subB = memoria + NTILE;

    const int fila = blockIdx.y * LADO + threadIdx.y;
    const int columna = blockIdx.x * LADO + threadIdx.x;
    const int yo = threadIdx.y * LADO + threadIdx.x;

    float suma = 0.0f;
    for (int p = 0; p < N; p += LADO) {
        subA[yo] = 0.0f;
        subB[yo] = 0.0f;
        if (fila < N && p + threadIdx.x < N)
            subA[yo] = A[fila * N + p + threadIdx.x];
        if (columna < N && p + threadIdx.y < N)
            subB[yo] = B[(p + threadIdx.y) * N + columna];
        __syncthreads();

        for (int k = 0; k < LADO; ++k)
            suma += subA[threadIdx.y * LADO + k] * subB[k * LADO + threadIdx.x];
        __syncthreads();
    }

    if (fila < N && columna < N)
        C[fila * N + columna] = suma;
}

// two tiles in dynamic shared memory
LAUNCH(.block = {LADO, LADO}, .tile = {LADO, LADO}, .shared = 2 * NTILE);
