#include <lab.h>

// Tehtava 3, Aino: 32 x 32 laatta, 32 x 8 saietta
#define L 32
#define S 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float laattaB[L][L];
    __shared__ float laattaA[L][L];
    float summa[L / S];
    int r, k, k0, m;

    int x = threadIdx.x;
    int rivi0 = blockIdx.y * L;
    int sarake = blockIdx.x * L + x;

    for (m = 0; m < L / S; m++)
        summa[m] = 0.0f;

    for (k0 = 0; k0 < N; k0 += L) {
        for (r = threadIdx.y; r <= L; r += S) {
            if (rivi0 + r < N && k0 + x < N)
                laattaA[r][x] = A[(rivi0 + r) * N + k0 + x];
            else
                laattaA[r][x] = 0.0f;
        }
        for (r = threadIdx.y; r < L; r += S) {
            if (k0 + r < N && sarake < N)
                laattaB[r][x] = B[(k0 + r) * N + sarake];
            else
                laattaB[r][x] = 0.0f;
        }
        __syncthreads();

        for (k = 0; k < L; k++)
            for (m = 0; m < L / S; m++)
                summa[m] += laattaA[threadIdx.y + m * S][k] * laattaB[k][x];
        __syncthreads();
    }

    for (m = 0; m < L / S; m++) {
        r = rivi0 + threadIdx.y + m * S;
        if (r < N && sarake < N)
            C[r * N + sarake] = summa[m];
    }
}
LAUNCH(.block = {L, S}, .tile = {L, L});
