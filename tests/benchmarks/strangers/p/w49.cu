#include <lab.h>

#define BLOCK_SIZE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // Shared memory used to store the sub-matrices
    __shared__ float Asub[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bsub[BLOCK_SIZE][BLOCK_SIZE];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int fila = by * BLOCK_SIZE + ty;
    int columna = bx * BLOCK_SIZE + tx;
    float suma = 0;

    int pasos = N / BLOCK_SIZE + (N % BLOCK_SIZE != 0);
    for (int p = 0; p < pasos; p++)
    {
        int ca = p * BLOCK_SIZE + tx;
        int fb = p * BLOCK_SIZE + ty;

        if (fila < N && ca < N)
            Asub[ty][tx] = A[fila * N + ca];
        if (fb < N && columna < N)
            Bsub[ty][tx] = B[fb * N + columna];
        __syncthreads();

        for (int k = 0; k < BLOCK_SIZE; ++k)
            suma += Asub[ty][k] * Bsub[k][tx];
        __syncthreads();
    }

    if (fila < N && columna < N)
        C[fila * N + columna] = suma;
}

LAUNCH(.block = {BLOCK_SIZE, BLOCK_SIZE}, .tile = {BLOCK_SIZE, BLOCK_SIZE});
