#include <lab.h>

#define TILE_DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Ash[TILE_DIM][TILE_DIM + 1];
    __shared__ float Bsh[TILE_DIM][TILE_DIM + 1];

    const int lx = threadIdx.x;
    const int ly = threadIdx.y;
    const int gx = blockIdx.x * TILE_DIM + lx;
    const int gy = blockIdx.y * TILE_DIM + ly;

    float c = 0.0f;

    for (int t = 0; t < N; t += TILE_DIM) {
        float a_next, b_next;
        // global -> register
        if (gy < N && t + lx < N)
            a_next = A[gy * N + t + lx];
        if (gx < N && t + ly < N)
            b_next = B[(t + ly) * N + gx];
        // register -> shared
        Ash[ly][lx] = a_next;
        Bsh[ly][lx] = b_next;
        __syncthreads();

        for (int k = 0; k < TILE_DIM; ++k)
            c += Ash[ly][k] * Bsh[k][lx];
        __syncthreads();
    }

    if (gx < N && gy < N)
        C[gy * N + gx] = c;
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM});
