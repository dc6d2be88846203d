#include <lab.h>

#define BS 16
#define RT 2              // rows per thread

struct Shared {
    float a[BS * RT][BS];
    float b[BS][BS];
};

__device__ void copyTiles(Shared &s, const float *A, const float *B, int rowBase, int colBase, int k0, int N)
{
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = 0; i < RT; ++i) {
        int r = rowBase + y + i * BS;
        s.a[y + i * BS][x] = (r < N && k0 + x < N) ? A[r * N + k0 + x] : 0.0f;
    }
    int c = colBase + x;
    s.b[y][x] = (c < N && k0 + y < N) ? B[(k0 + y) * N + c] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Shared s;
    int rowBase = blockIdx.y * BS * RT;
    int colBase = blockIdx.x * BS;
    float acc[RT] = {0.0f, 0.0f};

    for (int k0 = 0; k0 < N; k0 += BS) {
        copyTiles(s, A, B, rowBase, colBase, k0, N);
        __syncthreads();
        for (int k = 0; k < BS; ++k) {
            float b = s.b[k][threadIdx.x];
            for (int i = 0; i < RT; ++i)
                acc[i] += s.a[threadIdx.y + i * BS][k] * b;
        }
    }

    int c = colBase + threadIdx.x;
    for (int i = 0; i < RT; ++i) {
        int r = rowBase + threadIdx.y + i * BS;
        if (r < N && c < N)
            C[r * N + c] = acc[i];
    }
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS * RT});
