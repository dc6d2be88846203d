#include <lab.h>

#define ROWS_B 4
#define COLS_B 8
#define KPARTS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // threadIdx.x: part of the dot product, y: column, z: row
    __shared__ float buf[ROWS_B][COLS_B][KPARTS];

    int k0 = threadIdx.x, j = threadIdx.y, i = threadIdx.z;
    int row = blockIdx.y * ROWS_B + i;
    int col = blockIdx.x * COLS_B + j;

    float sum = 0.0f;
    if (row < N && col < N) {
        for (int k = k0; k < N; k += KPARTS)
            sum += A[row * N + k] * B[k * N + col];
    }
    buf[i][j][k0] = sum;
    __syncthreads();

    for (int s = KPARTS / 2; s > 0; s /= 2) { if (k0 < s) { buf[i][j][k0] += buf[i][j][k0 + s]; __syncthreads(); } }

    if (k0 == 0 && row < N && col < N)
        C[row * N + col] = buf[i][j][0];
}

LAUNCH(.block = {KPARTS, COLS_B, ROWS_B}, .tile = {COLS_B, ROWS_B});
