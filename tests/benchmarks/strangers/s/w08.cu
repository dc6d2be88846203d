#include <lab.h>

/* TP n° 3 : un warp par ligne, réduction par échange entre voies.
   Chaque warp calcule 8 éléments consécutifs d'une ligne de C. */

static constexpr unsigned PLEIN = 0xffffffffu;
static constexpr int NB_COL = 8;

__device__ float somme_warp(float v)
{
    for (int d = 8; d > 0; d /= 2)
        v += __shfl_down_sync(PLEIN, v, d);
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int voie  = threadIdx.x;
    const int ligne = blockIdx.y * blockDim.y + threadIdx.y;
    if (ligne >= N)
        return;   // tout le warp sort ensemble

    for (int j = 0; j < NB_COL; ++j)
    {
        const int col = blockIdx.x * NB_COL + j;
        if (col >= N)
            break;
        float partiel = 0.0f;
        for (int k = voie; k < N; k += 32)
            partiel += A[ligne * N + k] * B[k * N + col];
        partiel = somme_warp(partiel);
        if (voie == 0)
            C[ligne * N + col] = partiel;
    }
}

LAUNCH(.block = {32, 8}, .tile = {NB_COL, 8});
