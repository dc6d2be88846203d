#include <lab.h>

// Jeder Thread berechnet vier Zeilen einer Spalte
const int ZEILEN = 4;
const int BREITE = 64;
const int HOEHE  = 4;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int spalte = blockIdx.x * BREITE + threadIdx.x;
    int ersteZeile = (blockIdx.y * HOEHE + threadIdx.y) * ZEILEN;
    if (spalte >= N) return;

    float summe = 0.0f;
    for (int f = 0; f < ZEILEN; f++) {
        int zeile = ersteZeile + f;
        if (zeile >= N)
            break;
        for (int k = 0; k < N; k++) {
            summe += A[zeile * N + k] * B[k * N + spalte];
        }
        C[zeile * N + spalte] = summe;
    }
}

LAUNCH(.block = {BREITE, HOEHE}, .tile = {BREITE, HOEHE * ZEILEN});
