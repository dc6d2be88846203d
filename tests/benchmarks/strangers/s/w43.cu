// Laboratornaya rabota 4: predzagruzka v registry
#include <lab.h>

#define P 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float plitaA[P][P];
    __shared__ float plitaB[P][P];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int stroka  = ty + blockIdx.y * P;
    const int stolbec = tx + blockIdx.x * P;

    float rezA, rezB;
    if (stroka < N && tx < N)
        rezA = A[stroka * N + tx];
    if (ty < N && stolbec < N)
        rezB = B[ty * N + stolbec];

    float s = 0.0f;
    for (int k0 = 0; k0 < N; k0 += P)
    {
        plitaA[ty][tx] = rezA;
        plitaB[ty][tx] = rezB;
        __syncthreads();

        // sleduyushchie elementy chitaem zaranee
        const int k1 = k0 + P;
        rezA = (stroka < N && k1 + tx < N) ? A[stroka * N + k1 + tx] : 0.0f;
        rezB = (k1 + ty < N && stolbec < N) ? B[(k1 + ty) * N + stolbec] : 0.0f;

        for (int k = 0; k != P; ++k)
            s += plitaA[ty][k] * plitaB[k][tx];
        __syncthreads();
    }

    if (stroka < N && stolbec < N)
        C[stroka * N + stolbec] = s;
}

LAUNCH(.block = {P, P}, .tile = {P, P});
