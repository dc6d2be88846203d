#include <lab.h>

#define LADO 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // memoria compartida
    __shared__ float bloqueA[LADO][LADO];
    __shared__ float bloqueB[LADO][LADO];

    int fila    = LADO * blockIdx.y + threadIdx.y;
    int columna = LADO * blockIdx.x + threadIdx.x;
    float suma  = 0.0f;

    for (int paso = 0; paso < (N + LADO - 1) / LADO; paso++)
    {
        int ka = paso * LADO + threadIdx.x;
        int kb = paso * LADO + threadIdx.y;

        bloqueA[threadIdx.y][threadIdx.x] = (fila < N && ka < N) ? A[fila * N + ka] : 0.0f;
        bloqueB[threadIdx.y][threadIdx.x] = (kb < N && columna < N) ? B[kb * N + columna] : 0.0f;
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < LADO; k++)
            suma += bloqueA[threadIdx.y][k] * bloqueB[k][threadIdx.x];
        __syncthreads();
    }

    // escribir el resultado
    if (fila < N - 1 && columna < N - 1)
        C[fila * N + columna] = suma;
}

LAUNCH(.block = {LADO, LADO}, .tile = {LADO, LADO});
