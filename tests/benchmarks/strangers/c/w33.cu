#include <lab.h>

#define TM 8
#define TN 4
#define TX 16
#define TY 8
#define AT(i, j) acc[(i) * TM + (j)]

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row0 = (blockIdx.y * TY + threadIdx.y) * TM;
    int col0 = (blockIdx.x * TX + threadIdx.x) * TN;
    float acc[TM * TN];

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            AT(i, j) = 0.0f;

    for (int k = 0; k < N; ++k)
        for (int i = 0; i < TM; ++i) {
            float a = row0 + i < N ? A[(row0 + i) * N + k] : 0.0f;
            for (int j = 0; j < TN; ++j)
                AT(i, j) += col0 + j < N ? a * B[k * N + col0 + j] : 0.0f;
        }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            if (row0 + i < N && col0 + j < N)
                C[(row0 + i) * N + col0 + j] = AT(i, j);
}

LAUNCH(.block = {TX, TY}, .tile = {TX * TN, TY * TM});
