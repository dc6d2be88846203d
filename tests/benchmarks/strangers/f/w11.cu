#include <lab.h>

// two neighbouring columns per thread
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[8][32];

    int c = (blockIdx.x * 32 + threadIdx.x) * 2;
    int r = blockIdx.y * 8 + threadIdx.y;
    float2 sum = make_float2(0.f, 0.f);

    for (int k0 = 0; k0 < N; k0 += 32) {
        int k = k0 + threadIdx.x;
        As[threadIdx.y][threadIdx.x] = (r < N && k < N) ? A[r * N + k] : 0.f;
        __syncthreads();

        int kmax = N - k0 < 32 ? N - k0 : 32;
        for (int j = 0; j < kmax; j++) {
            float a = As[threadIdx.y][j];
            const float *b = B + (k0 + j) * N + c;
            if (c < N)     sum.x += a * b[0];
            if (c + 1 < N) sum.y += a * b[1];
        }
        __syncthreads();
    }

    if (r < N && c + 1 < N) {
        C[r * N + c]     = sum.x;
        C[r * N + c + 1] = sum.y;
    }
}

LAUNCH(.block = {32, 8}, .tile = {64, 8});
