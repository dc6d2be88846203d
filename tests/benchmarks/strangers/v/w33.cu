#include <lab.h>

// TP CUDA no 3 : produit de matrices, double tampon
#define TUILE 16

__device__ __forceinline__ void charger(float (*ta)[TUILE], float (*tb)[TUILE],
                                        const float *A, const float *B,
                                        int lig, int col, int k0, int N)
{
    int ka = k0 + threadIdx.x;
    int kb = k0 + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] = (lig < N && ka < N) ? A[lig * N + ka] : 0.0f;
    tb[threadIdx.y][threadIdx.x] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[2][TUILE][TUILE];
    __shared__ float tb[2][TUILE][TUILE];

    int lig = blockIdx.y * TUILE + threadIdx.y;
    int col = blockIdx.x * TUILE + threadIdx.x;
    int nt = (N + TUILE - 1) / TUILE;

    // premiere tuile
    charger(ta[0], tb[0], A, B, lig, col, 0, N);
    __syncthreads();

    float s = 0.0f;
    for (int t = 0; t < nt; t++) {
        int cur = t & 1;
        // on charge la tuile suivante pendant le calcul
        if (t + 1 < nt)
            charger(ta[cur ^ 1], tb[cur ^ 1], A, B, lig, col, (t + 1) * TUILE, N);

        #pragma unroll
        for (int k = 0; k < TUILE; k++)
            s += ta[cur][threadIdx.y][k] * tb[cur][k][threadIdx.x];
    }

    if (lig < N && col < N)
        C[lig * N + col] = s;
}

LAUNCH(.block = {TUILE, TUILE}, .tile = {TUILE, TUILE});
