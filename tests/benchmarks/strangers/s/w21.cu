#include <lab.h>

// Tehtava 1, Aino
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int rivi, sarake, k;
    float summa;

    sarake = blockIdx.x * blockDim.x + threadIdx.x;
    rivi = blockIdx.y * blockDim.y + threadIdx.y;
    if (sarake >= N || rivi >= N)
        return;

    k = 0;
    while (k < N) {
        summa += A[rivi * N + k] * B[k * N + sarake];
        k++;
    }
    C[rivi * N + sarake] = summa;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
