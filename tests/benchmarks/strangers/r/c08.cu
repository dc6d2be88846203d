#include <lab.h>
enum { BX = 32, BY = 4, BZ = 8 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float teil[BZ][BY][BX];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const int spalte = blockIdx.x * BX + x;
    const int zeile = blockIdx.y * BY + y;
    const bool drin = spalte < N && zeile < N;

    // Teilsumme ueber k = z, z + BZ, ...
    float s = 0.0f;
    for (int k = z; drin && k < N; k += BZ)
        s += A[zeile * N + k] * B[k * N + spalte];
    teil[z][y][x] = s;

    for (int d = BZ / 2; d > 0; d /= 2) {
        __syncthreads();
        if (z < d)
            teil[z][y][x] += teil[z + d][y][x];
    }
    if (z == 0 && drin)
        C[zeile * N + spalte] = teil[0][y][x];
}

LAUNCH(.block = {BX, BY, BZ}, .tile = {BX, BY});
