#include <lab.h>

#define TW 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Awork[TW][TW];
    __shared__ float Bwork[TW][TW];

    int row_in = threadIdx.y, col_in = threadIdx.x;
    int row = blockIdx.y * TW + row_in;
    int col = blockIdx.x * TW + col_in;

    for (int q = 0; q < (N + TW - 1) / TW; ++q) {
        Awork[row_in][col_in] = (row < N && q * TW + col_in < N) ? A[row * N + q * TW + col_in] : 0.0f;
        Bwork[row_in][col_in] = (col < N && q * TW + row_in < N) ? B[(q * TW + row_in) * N + col] : 0.0f;
        __syncthreads();

        float partial = 0.0f;
        for (int k = 0; k < TW; ++k)
            partial += Awork[row_in][k] * Bwork[k][col_in];

        // the tiles add up to the product
        if (row < N && col < N)
            C[row * N + col] += partial;
        __syncthreads();
    }
}

LAUNCH(.block = {TW, TW});
