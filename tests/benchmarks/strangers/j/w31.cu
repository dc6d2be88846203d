#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int zeile  = blockIdx.y * blockDim.y + threadIdx.y;
    int spalte = blockIdx.x * blockDim.x + threadIdx.x;

    if (zeile >= N) return;
    if (spalte >= N) return;

    const float *a   = A + zeile * N;   // Anfang der Zeile
    const float *b   = B + spalte;      // Anfang der Spalte
    const float *end = a + N;
    float summe = 0.0f;

    while (a != end) {
        summe += *a * *b;
        a++;
        b++;
    }

    C[zeile * N + spalte] = summe;
}

LAUNCH(.block = {128, 1}, .tile = {128, 1});
