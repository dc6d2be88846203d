#include <lab.h>

#define KACHEL 16

// Gekachelte Matrixmultiplikation mit Shared Memory (Uebung 4)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float kA[KACHEL][KACHEL];
    __shared__ float kB[KACHEL][KACHEL];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int zeile  = blockIdx.y * KACHEL + ty;
    const int spalte = blockIdx.x * KACHEL + tx;
    const int anzahlKacheln = N / KACHEL;

    float summe = 0.0f;
    for (int t = 0; t < anzahlKacheln; ++t) {
        const int kSpalte = t * KACHEL + tx;
        const int kZeile  = t * KACHEL + ty;
        kA[ty][tx] = (zeile < N && kSpalte < N) ? A[zeile * N + kSpalte] : 0.0f;
        kB[ty][tx] = (kZeile < N && spalte < N) ? B[kZeile * N + spalte] : 0.0f;
        __syncthreads();

        for (int i = 0; i < KACHEL; ++i)
            summe += kA[ty][i] * kB[i][tx];
        __syncthreads();
    }

    if (zeile < N && spalte < N)
        C[zeile * N + spalte] = summe;
}

LAUNCH(.block = {KACHEL, KACHEL}, .tile = {KACHEL, KACHEL});
