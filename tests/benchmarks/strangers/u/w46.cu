#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int bs = blockDim.x;   // tile size follows the launch
    __shared__ float blokA[bs][bs];
    __shared__ float blokB[bs][bs];

    int baris = blockIdx.y * bs + threadIdx.y;
    int kolom = blockIdx.x * bs + threadIdx.x;
    float hasil = 0.0f;

    for (int m = 0; m < N; m += bs) {
        int ka = m + threadIdx.x;
        int kb = m + threadIdx.y;
        blokA[threadIdx.y][threadIdx.x] = baris < N && ka < N ? A[baris * N + ka] : 0.0f;
        blokB[threadIdx.y][threadIdx.x] = kb < N && kolom < N ? B[kb * N + kolom] : 0.0f;
        __syncthreads();
        for (int k = 0; k < bs; k++)
            hasil += blokA[threadIdx.y][k] * blokB[k][threadIdx.x];
        __syncthreads();
    }

    if (baris < N && kolom < N)
        C[baris * N + kolom] = hasil;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
