#include <lab.h>
// opgave 3: tegelgrootte volgt uit de launch

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    const int t = blockDim.x;
    __shared__ float tegelA[t][t];
    __shared__ float tegelB[t][t];

    int rij = blockIdx.y*t + threadIdx.y;
    int kolom = blockIdx.x*t + threadIdx.x;
    float uitkomst = 0;

    for (int basis = 0; basis < N; basis += t)
    {
        int ka = basis + threadIdx.x;
        int kb = basis + threadIdx.y;
        tegelA[threadIdx.y][threadIdx.x] = rij < N && ka < N ? A[rij*N + ka] : 0;
        tegelB[threadIdx.y][threadIdx.x] = kolom < N && kb < N ? B[kb*N + kolom] : 0;
        __syncthreads();
        for (int k = 0; k < t; k++)
            uitkomst += tegelA[threadIdx.y][k] * tegelB[k][threadIdx.x];
        __syncthreads();
    }
    if (rij < N && kolom < N)
        C[rij*N + kolom] = uitkomst;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
