#include "lab.h"

static const int LADO = 32;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bloqueA[LADO][LADO];
    __shared__ float bloqueB[LADO][LADO];

    const int fila    = blockIdx.y * LADO + threadIdx.y;
    const int columna = blockIdx.x * LADO + threadIdx.x;

    // los hilos fuera de la matriz no tienen nada que hacer
    if (fila >= N || columna >= N) return;

    float acumulado = 0.0f;
    const int pasos = (N + LADO - 1) / LADO;
    for (int p = 0; p < pasos; p++)
    {
        const int ka = p * LADO + threadIdx.x;
        const int kb = p * LADO + threadIdx.y;

        bloqueA[threadIdx.y][threadIdx.x] = ka < N ? A[fila * N + ka] : 0.0f;
        bloqueB[threadIdx.y][threadIdx.x] = kb < N ? B[kb * N + columna] : 0.0f;
        __syncthreads();

        for (int k = 0; k < LADO; k++)
            acumulado += bloqueA[threadIdx.y][k] * bloqueB[k][threadIdx.x];
        __syncthreads();
    }

    C[fila * N + columna] = acumulado;
}

LAUNCH(.block = {LADO, LADO}, .tile = {LADO, LADO});
