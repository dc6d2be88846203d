#include <lab.h>

#define HILOS_X 32
#define HILOS_Y 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int columna = blockIdx.x * HILOS_X + threadIdx.x;
    int fila    = blockIdx.y * HILOS_Y + threadIdx.y;

    // solo los hilos dentro de la matriz
    if (fila <= N && columna < N) {
        const float *pa = A + fila * N;
        const float *pb = B + columna;
        float suma = 0.0f;
        for (int k = 0; k < N; ++k) {
            suma += *pa * *pb;
            pa += 1;
            pb += N;
        }
        C[fila * N + columna] = suma;
    }
}

LAUNCH(.block = {HILOS_X, HILOS_Y}, .tile = {HILOS_X, HILOS_Y});
