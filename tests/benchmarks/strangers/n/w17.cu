#include <lab.h>

enum { MM = 32, NN = 32, KK = 16, THREADS = 128 };

struct Tiles {
    float a[MM * KK];
    float b[KK * NN];
};

__device__ void loadA(Tiles &t, const float *A, int row0, int k0, int N)
{
    for (int i = threadIdx.x; i < MM * KK; i += THREADS) {
        int r = row0 + i / KK, k = k0 + i % KK;
        t.a[i] = (r < N && k < N) ? A[r * N + k] : 0.0f;
    }
}

__device__ void loadB(Tiles &t, const float *B, int k0, int col0, int N)
{
    for (int i = threadIdx.x; i <= KK * NN; i += THREADS) {
        int k = k0 + i / NN, c = col0 + i % NN;
        t.b[i] = (k < N && c < N) ? B[k * N + c] : 0.0f;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tiles t;
    int row0 = blockIdx.y * MM, col0 = blockIdx.x * NN;
    int x = threadIdx.x % NN;          // column
    int y = threadIdx.x / NN * 8;      // first of 8 rows
    float c[8] = {};

    for (int k0 = 0; k0 < N; k0 += KK) {
        loadA(t, A, row0, k0, N);
        loadB(t, B, k0, col0, N);
        __syncthreads();
        for (int k = 0; k < KK; ++k)
            for (int i = 0; i < 8; ++i)
                c[i] += t.a[(y + i) * KK + k] * t.b[k * NN + x];
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        if (row0 + y + i < N && col0 + x < N)
            C[(row0 + y + i) * N + col0 + x] = c[i];
}

LAUNCH(.block = {THREADS}, .tile = {NN, MM});
