#include <lab.h>

#define PER_THREAD 16

// a thread computes 16 elements of one column, 8 rows apart
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float b_part[32][32];

    const int lane = threadIdx.x;
    const int strip = threadIdx.y;
    const int col = blockIdx.x * 32 + lane;
    const int row0 = blockIdx.y * 8 * PER_THREAD + strip;

    float acc[PER_THREAD];
    for (int i = 0; i < PER_THREAD; ++i)
        acc[i] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += 32) {
        for (int k = strip; k < 32; k += 8)
            b_part[k][lane] = (k0 + k < N && col < N) ? B[(k0 + k) * N + col] : 0.0f;
        __syncthreads();

        const int kmax = min(32, N - k0);
        for (int i = 0; i < PER_THREAD; ++i) {
            const int row = row0 + 8 * i;
            if (row < N)
                for (int k = 0; k < kmax; ++k)
                    acc[i] += A[row * N + k0 + k] * b_part[k][lane];
        }
        __syncthreads();
    }

    for (int i = 0; i < PER_THREAD; ++i)
        if (row0 + 8 * i < N && col < N)
            C[(row0 + 8 * i) * N + col] = acc[i];
}

LAUNCH(.block = {32, 8}, .tile = {8 * PER_THREAD, 32});
