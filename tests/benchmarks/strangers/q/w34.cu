#include <lab.h>

// Software-Prefetch: das Element fuer k+1 wird geladen, waehrend mit dem fuer k gerechnet wird.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int spalte = blockIdx.x * 128 + threadIdx.x;
    int zeile  = blockIdx.y;
    if (spalte >= N)
        return;

    float summe = 0.0f;
    float jetzt = B[spalte];
    float naechstes = 0.0f;
    for (int k = 0; k < N; ++k) {
        naechstes = B[(k + 1) * N + spalte];
        summe += A[zeile * N + k] * jetzt;
        jetzt = naechstes;
    }
    C[zeile * N + spalte] = summe;
}

LAUNCH(.block = {128}, .tile = {128, 1});
