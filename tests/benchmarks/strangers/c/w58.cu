#include <lab.h>

#define BM 64
#define BN 64
#define BK 128
#define TX 32
#define TY 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float acc[BM / TY][BN / TX] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int y = ty; y < BM; y += TY)
            for (int x = tx; x < BK; x += TX)
                As[y][x] = r0 + y < N && k0 + x < N ? A[(r0 + y) * N + k0 + x] : 0.0f;
        for (int y = ty; y < BK; y += TY)
            for (int x = tx; x < BN; x += TX)
                Bs[y][x] = k0 + y < N && c0 + x < N ? B[(k0 + y) * N + c0 + x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < BM / TY; ++i)
                for (int j = 0; j < BN / TX; ++j)
                    acc[i][j] += As[ty + i * TY][k] * Bs[k][tx + j * TX];
        __syncthreads();
    }
    for (int i = 0; i < BM / TY; ++i)
        for (int j = 0; j < BN / TX; ++j) {
            int r = r0 + ty + i * TY, c = c0 + tx + j * TX;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {TX, TY}, .tile = {BN, BM});
