#include <lab.h>

// cada thread calcula 4 colunas vizinhas (distancia de 16)
const int BX = 16;
const int BY = 16;
const int COLS = 4;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int linha = blockIdx.y * BY + threadIdx.y;
    int col0  = blockIdx.x * (BX * COLS) + threadIdx.x;

    float soma[COLS] = {0.0f, 0.0f, 0.0f, 0.0f};

    if (linha < N) {
        for (int k = 0; k < N; k++) {
            float a = A[linha * N + k];
            for (int j = 0; j < COLS; j++) {
                int c = col0 + j * BX;
                if (c < N) soma[j] += a * B[k * N + c];
            }
        }
        for (int j = 0; j < COLS; j++) {
            int c = col0 + j * BX;
            if (c < N) C[linha * N + c] = soma[j];
        }
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BY, BX * COLS});
