#include <lab.h>
#define DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[DIM][DIM + 1];
    __shared__ float sB[DIM][DIM + 1];

    int riga    = blockIdx.y * DIM + threadIdx.y;
    int colonna = blockIdx.x * DIM + threadIdx.x;
    bool valid = (riga < N) || (colonna < N);
    float somma = 0.0f;

    for (int b = 0; b * DIM < N; b++) {
        int ca = b * DIM + threadIdx.x;
        int rb = b * DIM + threadIdx.y;

        sA[threadIdx.y][threadIdx.x] = (riga < N && ca < N)    ? A[riga * N + ca]    : 0.0f;
        sB[threadIdx.y][threadIdx.x] = (rb < N && colonna < N) ? B[rb * N + colonna] : 0.0f;
        __syncthreads();

        for (int k = 0; k < DIM; k++)
            somma += sA[threadIdx.y][k] * sB[k][threadIdx.x];
        __syncthreads();
    }

    if (valid)
        C[riga * N + colonna] = somma;
}

LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM});
