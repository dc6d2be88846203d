#include <lab.h>

enum { TX = 16, TY = 16, COARSE = 4 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sb[TY][TX];

    const int col = blockIdx.x * TX + threadIdx.x;
    const int row = blockIdx.y * TY * COARSE + threadIdx.y;
    float acc[COARSE] = {0, 0, 0, 0};

    for (int k0 = 0; k0 < N; k0 += TY) {
        const int kr = k0 + threadIdx.y;
        sb[threadIdx.y][threadIdx.x] = kr < N && col < N ? B[kr * N + col] : 0.0f;
        __syncthreads();

        const int lim = min(TY, N - k0);
        for (int m = 0; m < COARSE; ++m) {
            const int r = row + m * TY;
            if (r < N)
                for (int k = 0; k < lim; ++k)
                    acc[m] += A[r * N + k0 + k] * sb[k][threadIdx.x];
        }
        __syncthreads();
    }

    if (col < N)
        for (int m = 0; m < COARSE; ++m)
            if (row + m * TY < N)
                C[(row + m * TY) * N + col] = acc[m];
}

LAUNCH(.block = {TX, TY}, .tile = {TX * COARSE, TY});
