#include <lab.h>

// Thread-coarsening: 4 columns each, 32 apart (so a warp still reads 128 contiguous bytes)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int zeile = blockIdx.y * 8 + threadIdx.y;
    const int spalte0 = blockIdx.x * 128 + threadIdx.x;
    if (zeile >= N) return;

    float s = 0.f;
    for (int q = 0; q < 4; ++q) {
        const int spalte = spalte0 + 32 * q;
        if (spalte < N) {
            for (int k = 0; k < N; ++k)
                s += A[zeile * N + k] * B[k * N + spalte];
            C[zeile * N + spalte] = s;
        }
    }
}
LAUNCH(.block = {32, 8}, .tile = {128, 8});
