#include <lab.h>

#define KACHEL 16

// Uebung 4, Abgabe Gruppe 7
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float teilA[KACHEL][KACHEL];
    __shared__ float teilB[KACHEL][KACHEL];

    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int zeile  = blockIdx.x * KACHEL + y;   // grid_x zaehlt Zeilen
    const int spalte = blockIdx.y * KACHEL + x;

    float summe = 0.0f;

    for (int start = 0; start < N; start += KACHEL) {
        float a = 0.0f, b = 0.0f;
        if (zeile < N && start + x < N)
            a = A[zeile * N + start + x];
        if (spalte < N && start + y < N)
            b = B[(start + y) * N + spalte];
        teilA[y][x] = a;
        teilB[y][x] = b;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < KACHEL; ++k)
            summe += teilA[y][k] * teilB[k][x];
        __syncthreads();
    }

    if (zeile < N && spalte < N)
        C[zeile * N + spalte] = summe;
}

LAUNCH(.block = {KACHEL, KACHEL}, .tile = {KACHEL, KACHEL}, .grid_x = ROWS);
