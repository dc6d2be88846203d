#include <lab.h>

#define TS 32
#define PITCH (TS + 1)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    extern __shared__ float buffer[];
    float *sh1 = buffer;
    float *sh2 = buffer + TS * PITCH;

    int rad = blockIdx.y * TS + threadIdx.y;
    int stl = blockIdx.x * TS + threadIdx.x;
    int pos = threadIdx.y * PITCH + threadIdx.x;
    float vys = 0.0f;

    for (int krok = 0; krok < (N + TS - 1) / TS; krok++) {
        int ka = krok * TS + threadIdx.x;
        int kb = krok * TS + threadIdx.y;

        sh1[pos] = (rad < N && ka < N) ? A[(size_t)rad * N + ka] : 0.0f;
        sh2[pos] = (stl < N && kb < N) ? B[(size_t)kb * N + stl] : 0.0f;
        __syncthreads();

        int konec = min(TS, N - krok * TS);
        for (int k = 0; k < konec; k++)
            vys += sh1[threadIdx.y * PITCH + k] * sh2[k * PITCH + threadIdx.x];
        __syncthreads();
    }

    if (rad < N && stl < N)
        C[(size_t)rad * N + stl] = vys;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS}, .shared = 2 * TS * PITCH * sizeof(float));
