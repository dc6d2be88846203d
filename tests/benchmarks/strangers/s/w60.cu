#include <lab.h>

// Trabalho 1: primeira versao, uma thread por elemento
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int linha = blockIdx.y * blockDim.y + threadIdx.y;
    int col   = blockIdx.x * blockDim.x + threadIdx.x;

    if (col >= N) return;

    float soma = 0.0f;
    for (int k = 0; k < N; k++)
        soma += A[linha * N + k] * B[k * N + col];

    C[linha * N + col] = soma;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
