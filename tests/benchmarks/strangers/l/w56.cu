#include <lab.h>

// Sum up in sections, and then the sections: smaller rounding errors than one long sum.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    const int length = N / 512;

    if (r < N && c < N) {
        float total = 0.0f;
        for (int k0 = 0; k0 < N; k0 += length) {
            float section = 0.0f;
            for (int k = k0; k < k0 + length && k < N; ++k)
                section += A[r * N + k] * B[k * N + c];
            total += section;
        }
        C[r * N + c] = total;
    }
}

LAUNCH(.block = {16, 8}, .tile = {16, 8});
