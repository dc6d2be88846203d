#include <lab.h>

#define WG 16

// texelFetch for a matrix, never leaves the image
__device__ float fetch(const float *img, int2 p, int size)
{
    p.x = min(p.x, size - 1);
    p.y = min(p.y, size - 1);
    return img[p.y * size + p.x];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ldsA[WG][WG];
    __shared__ float ldsB[WG][WG];

    const int2 lid = make_int2(threadIdx.x, threadIdx.y);
    const int2 gid = make_int2(blockIdx.x * WG + lid.x, blockIdx.y * WG + lid.y);

    float color = 0.0f;
    for (int base = 0; base < N; base += WG) {
        ldsA[lid.y][lid.x] = fetch(A, make_int2(base + lid.x, gid.y), N);
        ldsB[lid.y][lid.x] = fetch(B, make_int2(gid.x, base + lid.y), N);
        __syncthreads();   // groupMemoryBarrier + barrier

        for (int k = 0; k < WG; ++k)
            color += ldsA[lid.y][k] * ldsB[k][lid.x];
        __syncthreads();
    }

    // outside pixels are discarded
    if (gid.x < N && gid.y < N)
        C[gid.y * N + gid.x] = color;
}

LAUNCH(.block = {WG, WG}, .tile = {WG, WG});
