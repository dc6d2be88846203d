#include <lab.h>

// 16 outputs of one row per block. threadIdx.y walks over k (stride 16), partial sums go to shared atomics.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float wynik[16];

    const int kolumna = blockIdx.x * 16 + threadIdx.x;
    const int wiersz  = blockIdx.y;

    if (threadIdx.x == 0 && threadIdx.y == 0)
        for (int i = 0; i < 16; ++i)
            wynik[i] = 0.0f;

    if (kolumna < N) {
        float czesc = 0.0f;
        for (int k = threadIdx.y; k < N; k += 16)
            czesc += A[wiersz * N + k] * B[k * N + kolumna];
        atomicAdd(wynik + threadIdx.x, czesc);
    }
    __syncthreads();

    if (threadIdx.y == 0 && kolumna < N)
        C[wiersz * N + kolumna] = wynik[threadIdx.x];
}

LAUNCH(.block = {16, 16}, .tile = {16, 1});
