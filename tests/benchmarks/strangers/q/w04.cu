#include <lab.h>

// TP 3 : produit de matrices, un fil par coefficient
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int colonne = blockIdx.x * 64 + threadIdx.x;
    const int ligne   = blockIdx.y * 4 + threadIdx.y;

    float somme = 0.0f;
    for (int k = 0; k < N; k++) {
        float x = ligne < N ? A[ligne * N + k] : 0.0f;
        float y = colonne < N ? B[k * N + colonne] : 0.0f;
        somme += x * y;
    }

    if (ligne < N - 1 && colonne < N)
        C[ligne * N + colonne] = somme;
}

LAUNCH(.block = {64, 4}, .tile = {64, 4});
