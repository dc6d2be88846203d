#include <lab.h>

#define AT(M, r, c) M[r * N + c]

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < N && col < N) {
        float sum = 0.0f;
        // chunks of 8
        for (int k0 = 0; k0 < N; k0 += 8) {
            int len = N - k0 < 8 ? N - k0 : 8;
            for (int k = 0; k < len; k++)
                sum += AT(A, row, k0 + k) * AT(B, k0 + k, col);
        }
        AT(C, row, col) = sum;
    }
}

LAUNCH(.block = {8, 32}, .tile = {8, 32});
