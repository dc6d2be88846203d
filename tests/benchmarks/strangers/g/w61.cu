#include <lab.h>

#define WID 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float A_tile[WID][WID], B_tile[WID][WID];
    __shared__ int k0;      // where the tiles begin, the same for all threads

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r = blockIdx.y * WID + ty;
    int c = blockIdx.x * WID + tx;
    float res = 0.0f;

    if (tx == 0 && ty == 0)
        k0 = 0;
    __syncthreads();

    while (k0 < N) {
        A_tile[ty][tx] = (r < N && k0 + tx < N) ? A[r * N + k0 + tx] : 0.0f;
        B_tile[ty][tx] = (k0 + ty < N && c < N) ? B[(k0 + ty) * N + c] : 0.0f;
        __syncthreads();

        for (int k = 0; k < WID; ++k)
            res += A_tile[ty][k] * B_tile[k][tx];
        __syncthreads();

        k0 += WID;
        __syncthreads();
    }

    if (r < N && c < N)
        C[r * N + c] = res;
}

LAUNCH(.block = {WID, WID}, .tile = {WID, WID});
