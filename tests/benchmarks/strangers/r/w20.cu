#include <lab.h>
enum { D = 32 };
struct Tuile { float v[D][D]; };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tuile ta, tb;
    const int i = threadIdx.y, j = threadIdx.x;
    const int ligne = blockIdx.y * D + i, colonne = blockIdx.x * D + j;
    float somme = 0.f;

    for (int debut = 0; debut < N; debut += D)
    {
        bool okA = ligne < N && debut + j < N;
        bool okB = colonne < N && debut + i < N;
        ta.v[i][j] = okA ? A[ligne * N + debut + j] : 0.f;
        tb.v[i][j] = okB ? B[(debut + i) * N + colonne] : 0.f;

        for (int k = 0; k < D; ++k)
            somme += ta.v[i][k] * tb.v[k][j];
        __syncthreads();
    }

    if (ligne < N && colonne < N)
        C[ligne * N + colonne] = somme;
}

LAUNCH(.block = {D, D}, .tile = {D, D});
