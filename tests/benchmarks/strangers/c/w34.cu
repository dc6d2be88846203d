#include <lab.h>

#define SZ 16

// The threads of a warp start at different places of the k loop, so that they do not all read the same element of A.
extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    int i = blockIdx.y * SZ + threadIdx.y;
    int j = blockIdx.x * SZ + threadIdx.x;
    int start = threadIdx.x;
    if (i < N && j < N) {
        float total = 0.0f;
        for (int k = 0; k < N; ++k) {
            int kk = (k - start) % N;  // wraps around
            total += A[i * N + kk] * B[kk * N + j];
        }
        C[i * N + j] = total;
    }
}

LAUNCH(.block = {SZ, SZ}, .tile = {SZ, SZ});
