#include <lab.h>

// Tarea 2: cada hilo calcula varias columnas
#define BX 16
#define BY 16
#define CPT 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int fila = blockIdx.y * BY + threadIdx.y;
    int col0 = blockIdx.x * BX * CPT + threadIdx.x;

    if (fila >= N) return;

    float total = 0.0f;
    for (int m = 0; m < CPT; m++)
    {
        int columna = col0 + m * BX;
        if (columna < N)
        {
            for (int k = 0; k < N; k++)
            {
                total += A[fila * N + k] * B[k * N + columna];
            }
            C[fila * N + columna] = total;
        }
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX * CPT, BY});
