#include <lab.h>

constexpr int KSPLIT = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[KSPLIT][8][8];

    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int col = blockIdx.x * 8 + x;
    const int row = blockIdx.y * 8 + y;

    const int chunk = (N + KSPLIT - 1) / KSPLIT;
    const int lo = z * chunk;
    const int hi = min(lo + chunk, N);

    float s = 0.0f;
    if (row < N && col < N && lo < hi) {
        for (int k = lo; k < hi; ++k)
            s += A[row * N + k] * B[k * N + col];
        part[z][y][x] = s;
    }
    __syncthreads();

    if (z == 0 && row < N && col < N) {
        float total = 0.0f;
        for (int i = 0; i < KSPLIT; ++i)
            total += part[i][y][x];
        C[row * N + col] = total;
    }
}

LAUNCH(.block = {8, 8, KSPLIT}, .tile = {8, 8});
