#include <lab.h>

// Osszegzes fa-szeruen: 8 reteg (threadIdx.z) mindegyike a k-k nyolcadat kapja.
constexpr int W = 8;
constexpr int H = 8;
constexpr int RETEG = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float resz[RETEG][H][W];

    const int z = threadIdx.z;
    const int sor = blockIdx.y * H + threadIdx.y;
    const int oszlop = blockIdx.x * W + threadIdx.x;

    float x = 0.0f;
    if (sor < N && oszlop < N)
        for (int k = z; k < N; k += RETEG)
            x += A[sor * N + k] * B[k * N + oszlop];
    resz[z][threadIdx.y][threadIdx.x] = x;
    __syncthreads();

    for (int s = RETEG / 2; s >= 0; s /= 2) {
        if (z < s)
            resz[z][threadIdx.y][threadIdx.x] += resz[z + s][threadIdx.y][threadIdx.x];
        __syncthreads();
    }

    if (z == 0 && sor < N && oszlop < N)
        C[sor * N + oszlop] = resz[0][threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {W, H, RETEG}, .tile = {W, H});
