#include <lab.h>

/* TP n° 5 : chaque thread calcule un carré 2 x 2 de C, sans tableau local */

#define PAS 32

__device__ float lire(const float *M, int l, int c, int N)
{
    return (l < N && c < N) ? M[(size_t)l * N + c] : 0.0f;
}

__device__ void ecrire(float *M, int l, int c, int N, float v)
{
    if (l < N && c < N)
        M[(size_t)l * N + c] = v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int l = blockIdx.y * PAS + 2 * threadIdx.y;
    const int c = blockIdx.x * PAS + 2 * threadIdx.x;

    float c00 = 0, c01 = 0, c10 = 0, c11 = 0;

    for (int k = 0; k < N; ++k)
    {
        const float a0 = lire(A, l, k, N), a1 = lire(A, l + 1, k, N);
        const float b0 = lire(B, k, c, N), b1 = lire(B, k, c + 1, N);
        c00 += a0 * b0;
        c01 += a0 * b1;
        c10 += a0 * b0;
        c11 += a1 * b1;
    }

    ecrire(C, l,     c,     N, c00);
    ecrire(C, l,     c + 1, N, c01);
    ecrire(C, l + 1, c,     N, c10);
    ecrire(C, l + 1, c + 1, N, c11);
}

LAUNCH(.block = {16, 16}, .tile = {PAS, PAS});
