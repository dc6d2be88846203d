#include <lab.h>

// Zadanie 3: 8 x 8 elements per block, 16 threads work together on every element
#define E 8
#define Z 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[Z][E][E];

    int w = blockIdx.y * E + threadIdx.y;   // wiersz
    int k = blockIdx.x * E + threadIdx.x;   // kolumna
    int z = threadIdx.z;

    float s = 0.0f;
    if (w < N && k < N)
        for (int p = z; p < N; p += Z)
            s += A[w * N + p] * B[p * N + k];
    part[z][threadIdx.y][threadIdx.x] = s;
    __syncthreads();

    // tree reduction over z
    for (int half = Z / 2; half > 0; half /= 2) {
        if (z < half)
            part[z][threadIdx.y][threadIdx.x] += part[z + half][threadIdx.y][threadIdx.x];
    }

    if (z == 0 && w < N && k < N)
        C[w * N + k] = part[0][threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {E, E, Z}, .tile = {E, E});
