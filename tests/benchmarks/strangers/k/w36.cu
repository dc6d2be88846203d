#include <lab.h>
#define BSZ 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Atile[BSZ][BSZ];
    __shared__ float Btile[BSZ][BSZ];
    int row = BSZ * blockIdx.y + threadIdx.y;
    int col = BSZ * blockIdx.x + threadIdx.x;
    float value = 0.0f;
    int k0 = 0;

    do {
        int ka = k0 + threadIdx.x;
        int kb = k0 + threadIdx.y;
        Atile[threadIdx.y][threadIdx.x] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        Btile[threadIdx.y][threadIdx.x] = col < N && kb < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
        if (row < N) {
            for (int k = 0; k < BSZ; ++k)
                value += Atile[threadIdx.y][k] * Btile[k][threadIdx.x];
            __syncthreads();
        }
        k0 += BSZ;
    } while (k0 < N);

    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {BSZ, BSZ});
