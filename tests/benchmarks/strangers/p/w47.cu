#include <lab.h>
#define STEP 8

/* kod: mnozenie macierzy, petla rozwinieta */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int kolumna = blockIdx.x * 32 + threadIdx.x;
    int wiersz  = blockIdx.y * 8 + threadIdx.y;

    if (kolumna >= N || wiersz >= N)
        return;

    float suma = 0.0f;

    for (int k = 0; k < N / STEP; k++) {
#pragma unroll
        for (int u = 0; u < STEP; u++)
            suma += A[wiersz * N + k * STEP + u] * B[(k * STEP + u) * N + kolumna];
    }

    // reszta
    if (N % STEP != 0)
        for (int k = N % STEP; k < N; k++)
            suma += A[wiersz * N + k] * B[k * N + kolumna];

    C[wiersz * N + kolumna] = suma;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
