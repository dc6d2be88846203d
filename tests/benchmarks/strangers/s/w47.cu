#include <lab.h>

// Hai nhom luong, moi nhom xu ly cac o xen ke: nhom 0 lay o 0, 2, 4..., nhom 1 lay o 1, 3, 5...
#define CANH 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float oA[2][CANH][CANH];
    __shared__ float oB[2][CANH][CANH];

    const int tx = threadIdx.x, ty = threadIdx.y, nhom = threadIdx.z;
    const int hang = blockIdx.y * CANH + ty;
    const int cot  = blockIdx.x * CANH + tx;
    const int so_o = (N + CANH - 1) / CANH;

    float tong = 0.0f;
    for (int o = nhom; o < so_o; o += 2) {
        const int ka = o * CANH + tx;
        const int kb = o * CANH + ty;
        oA[nhom][ty][tx] = (hang < N && ka < N) ? A[hang * N + ka] : 0.0f;
        oB[nhom][ty][tx] = (kb < N && cot < N) ? B[kb * N + cot] : 0.0f;
        __syncthreads();

        for (int k = 0; k < CANH; ++k)
            tong += oA[nhom][ty][k] * oB[nhom][k][tx];
        __syncthreads();
    }

    // nhom 1 giao ket qua cho nhom 0
    if (nhom == 1) oA[1][ty][tx] = tong;
    __syncthreads();

    if (nhom == 0 && hang < N && cot < N)
        C[hang * N + cot] = tong + oA[1][ty][tx];
}

LAUNCH(.block = {CANH, CANH, 2}, .tile = {CANH, CANH});
