#include <lab.h>

#define TX 64
#define TY 32

// wide blocks, so that the reads of B are coalesced
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int gx = blockIdx.x * TX + threadIdx.x;
    int gy = blockIdx.y * TY + threadIdx.y;
    __shared__ float rowsA[TY][TX];

    float r = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TX) {
        rowsA[threadIdx.y][threadIdx.x] = (gy < N && k0 + threadIdx.x < N) ? A[gy * N + k0 + threadIdx.x] : 0.0f;
        __syncthreads();
        int kmax = (N - k0 < TX) ? N - k0 : TX;
        if (gx < N)
            for (int k = 0; k < kmax; k++)
                r += rowsA[threadIdx.y][k] * B[(k0 + k) * N + gx];
        __syncthreads();
    }
    if (gx < N && gy < N) C[gy * N + gx] = r;
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY});
