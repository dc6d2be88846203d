#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    unsigned int s = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int z = blockIdx.y * blockDim.y + threadIdx.y;

    if (s >= N || z >= N) { return; }

    const float *a = &A[z * N];
    const float *b = &B[s];

    /* software pipelining: die Werte von k+1 werden geladen, waehrend k gerechnet wird */
    float aktuellA = a[0];
    float aktuellB = b[0];
    float ergebnis = 0.0f;

    for (int k = 0; k < N; k++)
    {
        float naechstesA, naechstesB;
        naechstesA = a[k + 1];
        naechstesB = b[(k + 1) * N];

        ergebnis += aktuellA * aktuellB;

        aktuellA = naechstesA;
        aktuellB = naechstesB;
    }

    C[z * N + s] = ergebnis;
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
