#include <lab.h>

/* TP n° 6 : les 32 voies d'un warp se partagent un morceau de la ligne de A,
   chaque voie garde une colonne de C ; diffusion par __shfl_sync. */

static constexpr unsigned PLEIN = 0xffffffffu;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int voie    = threadIdx.x;
    const int ligne   = blockIdx.y * blockDim.y + threadIdx.y;
    const int colonne = blockIdx.x * 32 + voie;

    // le même test pour les 32 voies du warp
    if (ligne >= N)
        return;

    float s = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32)
    {
        const float morceau = (k0 + voie < N) ? A[ligne * N + k0 + voie] : 0.0f;
        const int fin = min(32, N - k0);
        for (int j = 0; j < fin; ++j)
        {
            const float a = __shfl_sync(PLEIN, morceau, j);
            if (colonne < N)
                s += a * B[(k0 + j) * N + colonne];
        }
    }

    if (colonne < N)
        C[ligne * N + colonne] = s;
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});
