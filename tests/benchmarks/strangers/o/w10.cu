#include <lab.h>

#define N_THREADS 32

// version 2: shared memory, 32x32
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float  Asub[N_THREADS][N_THREADS + 1];
    __shared__ float  Bsub[N_THREADS][N_THREADS + 1];

    const unsigned int ligne   = blockIdx.y * N_THREADS + threadIdx.y;
    const unsigned int colonne = blockIdx.x * N_THREADS + threadIdx.x;
    const unsigned int n = N;

    float somme = 0.0f;

    for (unsigned int debut = 0; debut < n; debut += N_THREADS)
    {
        const unsigned int ca = debut + threadIdx.x;
        const unsigned int lb = debut + threadIdx.y;

        Asub[threadIdx.y][threadIdx.x] = (ligne < n && ca < n) ? A[ligne * n + ca] : 0.0f;
        Bsub[threadIdx.y][threadIdx.x] = (lb < n && colonne < n) ? B[lb * n + colonne] : 0.0f;

        for (unsigned int k = 0; k < N_THREADS; ++k)
            somme += Asub[threadIdx.y][k] * Bsub[k][threadIdx.x];

        __syncthreads();
    }

    if (ligne < n && colonne < n)
        C[ligne * n + colonne] = somme;
}

LAUNCH(.block = {N_THREADS, N_THREADS}, .tile = {N_THREADS, N_THREADS});
