#include <lab.h>

// Trabalho 3: blocos 64x64, cada thread faz 4x4 (acumuladores em registradores)

const int BM = 64;
const int BN = 64;
const int BK = 16;
const int TM = 4;
const int TN = 4;

extern "C" __global__ void __launch_bounds__(256) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float blocoA[BK][BM + 1];
    __shared__ float blocoB[BK][BN];

    int id = threadIdx.y * 16 + threadIdx.x;
    int linhaBase = blockIdx.y * BM;
    int colBase = blockIdx.x * BN;

    float acc[TM * TN];
    for (int i = 0; i < TM + TN; i++)
        acc[i] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = id; e < BM * BK; e += 256) {
            int l = e / BK;
            int k = e % BK;
            float v = 0.0f;
            if (linhaBase + l < N && k0 + k < N)
                v = A[(linhaBase + l) * N + k0 + k];
            blocoA[k][l] = v;
        }
        for (int e = id; e < BK * BN; e += 256) {
            int k = e / BN;
            int c = e % BN;
            float v = 0.0f;
            if (k0 + k < N && colBase + c < N)
                v = B[(k0 + k) * N + colBase + c];
            blocoB[k][c] = v;
        }
        __syncthreads();

        for (int k = 0; k < BK; k++) {
            float va[TM];
            float vb[TN];
            for (int i = 0; i < TM; i++) va[i] = blocoA[k][threadIdx.y * TM + i];
            for (int j = 0; j < TN; j++) vb[j] = blocoB[k][threadIdx.x * TN + j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    acc[i * TN + j] += va[i] * vb[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; i++) {
        int linha = linhaBase + threadIdx.y * TM + i;
        if (linha >= N) break;
        for (int j = 0; j < TN; j++) {
            int col = colBase + threadIdx.x * TN + j;
            if (col < N) C[linha * N + col] = acc[i * TN + j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
