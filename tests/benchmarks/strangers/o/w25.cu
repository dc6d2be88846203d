#include <lab.h>

/* produit scalaire d'une ligne et d'une colonne */
static float produit_scalaire(const float *ligne, const float *colonne, int pas, int n)
{
    float s = 0.0f;
    for (int i = 0; i < n; i++)
        s += ligne[i] * colonne[i * pas];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N && j < N)
        C[i * N + j] = produit_scalaire(A + i * N, B + j, N, N);
}

LAUNCH(.block = {16, 8}, .tile = {16, 8});
