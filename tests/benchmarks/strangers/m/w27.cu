#include <lab.h>

constexpr int BLK = 16;

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float ta[BLK][BLK];
    __shared__ float tb[BLK][BLK];

    const int x = threadIdx.x % BLK;
    const int y = threadIdx.x / BLK;
    const int gx = blockIdx.x * BLK + x;
    const int gy = blockIdx.y * BLK + y;

    float r = 0.0f;
    for (int k0 = 0; k0 < N; k0 += BLK) {
        ta[y][x] = gy < N && k0 + x < N ? A[gy * N + k0 + x] : 0.0f;
        tb[y][x] = gx < N && k0 + y < N ? B[(k0 + y) * N + gx] : 0.0f;
        __syncwarp();
        for (int k = 0; k < BLK; ++k)
            r = fmaf(ta[y][k], tb[k][x], r);
        __syncthreads();
    }
    if (gx < N && gy < N)
        C[gy * N + gx] = r;
}

LAUNCH(.block = {BLK * BLK}, .tile = {BLK, BLK});
