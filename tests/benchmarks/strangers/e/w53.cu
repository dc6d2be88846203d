#include <lab.h>

#define RT 4   // results per thread

// adds one column step to the RT results of a thread
inline void step(float *res, const float *a, int lda, float b)
{
    for (int i = 0; i < RT; i++)
        res[i] += a[i * lda] * b;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[16 * RT][16];
    __shared__ float Bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 * RT + ty * RT;
    int col = blockIdx.x * 16 + tx;
    float res[RT] = {0.0f};

    for (int k0 = 0; k0 < N; k0 += 16) {
        for (int i = 0; i < RT; i++)
            As[ty * RT + i][tx] = (row + i < N && k0 + tx < N) ? A[(row + i) * N + k0 + tx] : 0.0f;
        Bs[ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            step(res, &As[ty * RT][k], 16, Bs[k][tx]);
        __syncthreads();
    }
    for (int i = 0; i < RT; i++)
        if (row + i < N && col < N)
            C[(row + i) * N + col] = res[i];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16 * RT});
