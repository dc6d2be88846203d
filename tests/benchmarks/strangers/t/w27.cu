#include <lab.h>

#define BREITE 16
#define HOEHE  16

// Zwischenspeicher fuer die laufenden Summen
__device__ float zwischensumme[HOEHE][BREITE];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x;
    int y = threadIdx.y;
    int spalte = blockIdx.x * BREITE + x;
    int zeile  = blockIdx.y * HOEHE + y;

    if (zeile < N && spalte < N)
    {
        zwischensumme[y][x] = 0.0f;
        for (int k = 0; k < N; k++)
            zwischensumme[y][x] += A[zeile * N + k] * B[k * N + spalte];
        C[zeile * N + spalte] = zwischensumme[y][x];
    }
}

LAUNCH(.block = {BREITE, HOEHE}, .tile = {BREITE, HOEHE});
