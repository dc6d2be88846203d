#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int sarake = blockIdx.x * blockDim.x + threadIdx.x;
    int rivi   = blockIdx.y * blockDim.y + threadIdx.y;

    if (rivi < N && sarake < N) {
        const float *a = A + rivi * N;
        float tulos = 0.0f;
        int k = 0;

        while (k < N) {
            if (k + 4 <= N) {
                tulos += a[k] * B[k * N + sarake]
                       + a[k + 1] * B[(k + 1) * N + sarake]
                       + a[k + 2] * B[(k + 2) * N + sarake]
                       + a[k + 3] * B[(k + 3) * N + sarake];
                k += 4;
            } else {
                tulos += a[k] * B[k * N + sarake];
            }
        }

        C[rivi * N + sarake] = tulos;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
