#include <lab.h>

constexpr int T = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[T][T + 1];   // +1: no bank conflicts
    __shared__ float tileB[T][T + 1];

    const int i = blockIdx.y * T + threadIdx.y;
    const int j = blockIdx.x * T + threadIdx.x;
    float c = 0.0f;

    for (int t = 0; t * T < N; ++t) {
        const int kA = t * T + threadIdx.y;
        const int kB = t * T + threadIdx.y;

        tileA[threadIdx.y][threadIdx.x] = 0.0f;
        tileB[threadIdx.y][threadIdx.x] = 0.0f;
        if (i < N && kA < N) tileA[threadIdx.y][threadIdx.x] = A[i * N + kA];
        if (kB < N && j < N) tileB[threadIdx.y][threadIdx.x] = B[kB * N + j];
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < T; ++k)
            c = fmaf(tileA[threadIdx.y][k], tileB[k][threadIdx.x], c);
        __syncthreads();
    }

    if (i < N && j < N) C[i * N + j] = c;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
