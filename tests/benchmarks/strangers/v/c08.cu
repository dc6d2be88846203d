#include <lab.h>

// Flat addresses: a tile element that lies behind the matrix is 0. Elements to the right of a row of A are
// the beginning of the next row, they meet rows of B behind the matrix, so they do not count.
#define KANTE 24

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ka[KANTE][KANTE];
    __shared__ float kb[KANTE][KANTE];
    const int ende = N * N;
    const int x = threadIdx.x, y = threadIdx.y;
    const int spalte = blockIdx.x * KANTE + x;
    const int zeile = blockIdx.y * KANTE + y;

    int pa = zeile * N + x;
    int pb = y * N + spalte;
    float s = 0.0f;
    for (int rest = N; rest > 0; rest -= KANTE) {
        ka[y][x] = pa < ende ? A[pa] : 0.0f;
        kb[y][x] = pb < ende ? B[pb] : 0.0f;
        pa += KANTE;
        pb += KANTE * N;
        // the last tile has fewer than KANTE columns
        const int n = min(rest, KANTE);
        __syncthreads();
        for (int k = 0; k < n; ++k)
            s += ka[y][k] * kb[k][x];
        __syncthreads();
    }
    if (zeile < N && spalte < N)
        C[zeile * N + spalte] = s;
}

LAUNCH(.block = {KANTE, KANTE}, .tile = {KANTE, KANTE});
