#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[T][T], sb[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    const bool rowOk = row < N, colOk = col < N;

    // prefetch registers
    float ra = rowOk && tx < N ? A[row * N + tx] : 0.f;
    float rb = colOk && ty < N ? B[ty * N + col] : 0.f;
    float sum = 0.f;

    for (int k0 = 0; k0 < N; k0 += T) {
        sa[ty][tx] = ra;
        sb[ty][tx] = k0 + ty < N ? rb : 0.f;
        __syncthreads();

        // start loading the next tile before computing
        int next = k0 + T;
        ra = rowOk && next + tx < N ? A[row * N + next + tx] : 0.f;
        rb = colOk ? B[(next + ty) * N + col] : 0.f;

        for (int k = 0; k < T; ++k)
            sum += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }

    if (rowOk && colOk)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
