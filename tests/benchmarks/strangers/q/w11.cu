#include <lab.h>

// Laboratorio 2 - multiplicación de matrices cuadradas
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int fila = blockIdx.y * blockDim.y + threadIdx.y;
    int columna = blockIdx.x * blockDim.x + threadIdx.x;
    int suma = 0;

    if ((fila < N) && (columna < N)) {
        for (int k = 0; k < N; k++) {
            suma += A[fila * N + k] * B[k * N + columna];
        }
        C[fila * N + columna] = suma;
    }
}

LAUNCH(.block = {8, 8}, .tile = {8, 8});
