#include <lab.h>

// Producto de matrices. Cada hilo calcula un elemento de C.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int columna = blockIdx.x * blockDim.x + threadIdx.x;
    int fila    = blockIdx.y * blockDim.y + threadIdx.y;

    // los hilos fuera de la matriz terminan aqui
    if (columna >= N) return;
    if (fila >= N) return;

    float suma = 0.0f;
    for (int k = 0; k <= N - 1; k++)
        suma = suma + A[fila * N + k] * B[k * N + columna];

    C[fila * N + columna] = suma;
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
