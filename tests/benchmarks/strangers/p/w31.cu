#include <lab.h>

#define LARGEUR 16
#define GROS     4      /* colonnes par thread */

extern "C" __global__
void matmul(const float *A, const float *B, float *C, int N)
{
    int ligne   = blockIdx.y * LARGEUR + threadIdx.y;
    int colonne = blockIdx.x * LARGEUR * GROS + threadIdx.x;

    if (ligne >= N)
        return;

    float somme = 0.0f;
    for (int c = 0; c < GROS; c++) {
        int col = colonne + c * LARGEUR;
        if (col >= N)
            break;
        for (int k = 0; k < N; k++)
            somme += A[ligne * N + k] * B[k * N + col];
        C[ligne * N + col] = somme;
    }
}

LAUNCH(.block = {LARGEUR, LARGEUR}, .tile = {LARGEUR * GROS, LARGEUR});
