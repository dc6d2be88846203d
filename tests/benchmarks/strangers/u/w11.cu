#include <lab.h>

// TP4 - produit matriciel par tuiles
#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tuileA[T][T];
    __shared__ float tuileB[T][T];

    int tx = threadIdx.x, ty = threadIdx.y;
    int lig = blockIdx.y * T + ty;
    int col = blockIdx.x * T + tx;
    float s = 0.0f;

    for (int p = 0; p < N; p += T)
    {
        // chargement des deux tuiles
        tuileA[tx][ty] = (lig < N && p + tx < N) ? A[lig * N + p + tx] : 0.0f;
        tuileB[ty][tx] = (p + ty < N && col < N) ? B[(p + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < T; k++)
            s += tuileA[ty][k] * tuileB[k][tx];
        __syncthreads();
    }

    if (lig < N && col < N)
        C[lig * N + col] = s;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
