#include <lab.h>

#define TX 16
#define TY 16
#define RM 4                 // rows per thread
#define BM (TY * RM)         // 64
#define BN TX                // 16
#define BK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * BN + tx;
    float reg[RM] = {0.f, 0.f, 0.f, 0.f};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = 0; i < RM; i++) {
            int rowA = blockIdx.y * BM + ty + i * TY;
            As[ty + i * TY][tx] = (rowA < N && k0 + tx < N) ? A[rowA * N + k0 + tx] : 0.f;
        }
        Bs[ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.f;
        __syncthreads();

        for (int k = 0; k < BK; k++) {
            float b = Bs[k][tx];
            for (int i = 0; i < RM; i++)
                reg[i] += As[ty * RM + i][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < RM; i++) {
        int row = blockIdx.y * BM + ty + i * TY;
        if (row < N && col < N)
            C[row * N + col] = reg[i];
    }
}

LAUNCH(.block = {TX, TY}, .tile = {BN, BM});
