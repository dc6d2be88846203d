#include <lab.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define TAILLE 16

__device__ float produit_partiel(const float (*g)[TAILLE], const float (*d)[TAILLE])
{
    float p = 0.0f;
    #pragma unroll
    for (int k = 0; k < TAILLE; k++)
        p = fmaf(g[threadIdx.y][k], d[k][threadIdx.x], p);
    return p;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float gauche[TAILLE][TAILLE], droite[TAILLE][TAILLE];
    auto bloc = cg::this_thread_block();

    int ligne   = blockIdx.y * TAILLE + threadIdx.y;
    int colonne = blockIdx.x * TAILLE + threadIdx.x;
    float somme = 0.0f;

    for (int debut = 0; debut < N; debut += TAILLE)
    {
        int ka = debut + threadIdx.x;
        int kb = debut + threadIdx.y;
        gauche[threadIdx.y][threadIdx.x] = (ligne < N && ka < N) ? A[ligne * N + ka] : 0.0f;
        droite[threadIdx.y][threadIdx.x] = (kb < N && colonne < N) ? B[kb * N + colonne] : 0.0f;
        bloc.sync();
        somme = produit_partiel(gauche, droite);
        bloc.sync();
    }

    if (ligne < N && colonne < N)
        C[ligne * N + colonne] = somme;
}

LAUNCH(.block = {TAILLE, TAILLE}, .tile = {TAILLE, TAILLE});
