#include <lab.h>

constexpr int CAPAS = 4;  // capas que se reparten la suma

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int j = blockIdx.x * 16 + threadIdx.x;
    int i = blockIdx.y * 16 + threadIdx.y;
    int capa = threadIdx.z;

    // primero poner C a cero
    if (capa == 0 && i < N && j < N)
        C[i * N + j] = 0.0f;
    __syncthreads();

    if (i < N && j < N) {
        float parte = 0.0f;
        for (int k = capa; k < N; k += CAPAS)
            parte += A[i * N + k] * B[k * N + j];
        C[i * N + j] += parte;
    }
}

LAUNCH(.block = {16, 16, CAPAS}, .tile = {16, 16});
