#include <lab.h>

#define LARGURA 16

// multiplicacao em blocos (exercicio 5)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Asub[LARGURA][LARGURA], Bsub[LARGURA][LARGURA];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int linha = blockIdx.y * LARGURA + ty;
    int coluna = blockIdx.x * LARGURA + tx;
    float valor = 0.0f;

    int nblocos = (N - 1) / LARGURA + 1;
    for (int m = 0; m < nblocos; m++) {
        if (linha < N && m * LARGURA + tx < N)
            Asub[ty][tx] = A[linha * N + m * LARGURA + tx];
        else
            Asub[ty][tx] = 0.0f;

        if (coluna < N)
            Bsub[ty][tx] = B[(m * LARGURA + ty) * N + coluna];
        else
            Bsub[ty][tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < LARGURA; k++)
            valor += Asub[ty][k] * Bsub[k][tx];
        __syncthreads();
    }

    if (linha < N && coluna < N)
        C[linha * N + coluna] = valor;
}

LAUNCH(.block = {LARGURA, LARGURA}, .tile = {LARGURA, LARGURA});
