// 256 threads, tile 32 columns x 8 rows; warps 0-3 fetch B, everybody computes
#include <lab.h>
#define TX 32
#define TY 8
#define TK 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a_s[TY][TK];
    __shared__ float b_s[TK][TX];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r = blockIdx.y * TY + ty;
    int c = blockIdx.x * TX + tx;
    float res = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TK)
    {
        int kb = k0 + ty;
        b_s[ty][tx] = (kb < N && c < N) ? B[kb * N + c] : 0.0f;
        if (tx < TK)
        {
            int ka = k0 + tx;
            a_s[ty][tx] = (r < N && ka < N) ? A[r * N + ka] : 0.0f;
            __syncthreads();
        }
        for (int k = 0; k < TK; ++k)
            res += a_s[ty][k] * b_s[k][tx];
        __syncthreads();
    }

    if (r < N && c < N) C[r * N + c] = res;
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY});
