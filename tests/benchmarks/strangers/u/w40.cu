#include <lab.h>

#define RM 4
#define RN 4
#define TX 8
#define TY 8
#define KK 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float pa[RM * TY][KK];
    __shared__ float pb[KK][RN * TX];
    float reg[RM][RN];
    int tid = threadIdx.x + threadIdx.y * TX;
    int r0 = blockIdx.y * RM * TY;
    int c0 = blockIdx.x * RN * TX;

    // clear
    for (int i = 0; i < RM - 1; i++)
        for (int j = 0; j < RN; j++)
            reg[i][j] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += KK)
    {
        for (int q = tid; q < RM * TY * KK; q += TX * TY)
        {
            int i = q / KK, k = q % KK;
            pa[i][k] = (r0 + i < N && k0 + k < N) ? A[(r0 + i) * N + k0 + k] : 0.0f;
            int kk = q / (RN * TX), j = q % (RN * TX);
            pb[kk][j] = (k0 + kk < N && c0 + j < N) ? B[(k0 + kk) * N + c0 + j] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < KK; k++)
            for (int i = 0; i < RM; i++)
                for (int j = 0; j < RN; j++)
                    reg[i][j] += pa[threadIdx.y * RM + i][k] * pb[k][threadIdx.x * RN + j];
        __syncthreads();
    }

    for (int i = 0; i < RM; i++)
        for (int j = 0; j < RN; j++)
        {
            int r = r0 + threadIdx.y * RM + i;
            int c = c0 + threadIdx.x * RN + j;
            if (r < N && c < N) C[r * N + c] = reg[i][j];
        }
}

LAUNCH(.block = {TX, TY}, .tile = {RN * TX, RM * TY});
