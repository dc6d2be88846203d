#include <lab.h>

// Jeder Faden berechnet ein Element; die Namen sind auf Deutsch.
#define KANTE 16
#define solange while
#define wenn if

static __device__ float lies(const float *matrix, int zeile, int spalte, int n)
{
    wenn (zeile >= n) return 0;
    wenn (spalte >= n) return 0;
    return matrix[zeile * n + spalte];
}

extern "C" __global__ void matmul(const float *links, const float *rechts, float *ergebnis, int n)
{
    // die rechte Kachel liegt gespiegelt im Speicher
    __shared__ float l[KANTE][KANTE + 1], r[KANTE][KANTE + 1];

    int x = threadIdx.x, y = threadIdx.y;
    int zeile = blockIdx.y * KANTE + y, spalte = blockIdx.x * KANTE + x;
    int anfang = 0;
    double summe = 0;

    solange (anfang < n) {
        l[y][x] = lies(links, zeile, anfang + x, n);
        r[x][y] = lies(rechts, anfang + y, spalte, n);
        __syncthreads();

        int k = KANTE;
        solange (k --> 0)
            summe += (double)l[y][k] * r[x][k];

        anfang += KANTE;
        __syncthreads();
    }

    wenn (zeile < n && spalte < n)
        ergebnis[zeile * n + spalte] = (float)summe;
}

LAUNCH(.block = {KANTE, KANTE}, .tile = {KANTE, KANTE});
