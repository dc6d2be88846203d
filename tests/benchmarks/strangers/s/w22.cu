#include <lab.h>

// Chia k cho 4 nhom luong (threadIdx.z), cong lai trong bo nho chung.
#define BX 16
#define BY 16
#define NHOM 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tong[BY][BX];

    int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    int hang = blockIdx.y * BY + ty;
    int cot  = blockIdx.x * BX + tx;

    if (tz == 0) tong[ty][tx] = 0.0f;
    __syncthreads();

    float phan = 0.0f;
    if (hang < N && cot < N) {
        for (int k = tz; k < N; k += NHOM)
            phan += A[hang * N + k] * B[k * N + cot];
    }
    tong[ty][tx] += phan;
    __syncthreads();

    if (tz == 0 && hang < N && cot < N)
        C[hang * N + cot] = tong[ty][tx];
}

LAUNCH(.block = {BX, BY, NHOM}, .tile = {BX, BY});
