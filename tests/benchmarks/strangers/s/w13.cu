#include <lab.h>
// opgave 2b, gedeeld geheugen
#define TEGEL 32

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    __shared__ float tegelA[TEGEL][TEGEL];
    __shared__ float tegelB[TEGEL][TEGEL];
    int rij = blockIdx.y*TEGEL + threadIdx.y;
    int kolom = blockIdx.x*TEGEL + threadIdx.x;
    float uitkomst = 0;

    for (int basis = 0; basis < N; basis += TEGEL)
    {
        // laden, buiten de matrix nul
        if (rij < N && basis + threadIdx.x < N)
            tegelA[threadIdx.y][threadIdx.x] = A[rij*N + basis + threadIdx.x];
        else
            tegelA[threadIdx.y][threadIdx.x] = 0;
        if (kolom < N && basis + threadIdx.y < N)
            tegelB[threadIdx.y][threadIdx.x] = B[(basis + threadIdx.y)*N + kolom];
        else
            tegelB[threadIdx.y][threadIdx.x] = 0;

        // rekenen
        for (int k = 0; k < TEGEL; k++)
            uitkomst += tegelA[threadIdx.y][k] * tegelB[k][threadIdx.x];
        __syncthreads();
    }

    if (rij < N && kolom < N)
        C[rij*N + kolom] = uitkomst;
}

LAUNCH(.block = {TEGEL, TEGEL});
