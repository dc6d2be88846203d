#include <lab.h>
#define SLICES 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float zwischen[SLICES][4][32];
    int s = blockIdx.x * 32 + threadIdx.x;
    int z = blockIdx.y * 4 + threadIdx.y;

    // jede Scheibe (threadIdx.z) rechnet jedes vierte k
    float teil = 0.0f;
    if (s < N && z < N) {
        for (int k = threadIdx.z; k < N; k += SLICES)
            teil += A[z * N + k] * B[k * N + s];
    }
    zwischen[threadIdx.z][threadIdx.y][threadIdx.x] = teil;

    if (threadIdx.z == 0 && s < N && z < N) {
        float summe = 0.0f;
        for (int i = 0; i < SLICES; i++)
            summe += zwischen[i][threadIdx.y][threadIdx.x];
        C[z * N + s] = summe;
    }
}

LAUNCH(.block = {32, 4, SLICES}, .tile = {32, 4});
