#include <lab.h>

/* TP n° 4 : découpage de la somme en 4 tranches, une par threadIdx.z */

#define LARGEUR  16
#define HAUTEUR  8
#define TRANCHES 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float partiels[TRANCHES][HAUTEUR][LARGEUR];

    const int tranche = threadIdx.z;
    const int ligne   = blockIdx.y * HAUTEUR + threadIdx.y;
    const int colonne = blockIdx.x * LARGEUR + threadIdx.x;
    const bool dedans = ligne < N && colonne < N;

    const int longueur = N / TRANCHES;
    const int debut = tranche * longueur;
    const int fin   = min(debut + longueur, N);

    float s = 0.0f;
    if (dedans)
        for (int k = debut; k < fin; ++k)
            s += A[ligne * N + k] * B[k * N + colonne];

    partiels[tranche][threadIdx.y][threadIdx.x] = s;
    __syncthreads();

    if (tranche == 0 && dedans)
    {
        for (int t = 1; t < TRANCHES; ++t)
            s += partiels[t][threadIdx.y][threadIdx.x];
        C[ligne * N + colonne] = s;
    }
}

LAUNCH(.block = {LARGEUR, HAUTEUR, TRANCHES}, .tile = {LARGEUR, HAUTEUR});
