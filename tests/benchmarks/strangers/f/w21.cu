#include <lab.h>
#define T 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[8][T];
    __shared__ float sb[T][T];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r = blockIdx.y * 8 + ty;
    int c = blockIdx.x * T + tx;
    int nt = (N + T - 1) / T;
    float acc = 0.0f;

    for (int t = 0; t < nt; t++) {
        // the last tile is shorter
        int len = (t == nt - 1) ? N % T : T;

        if (r < N && tx < len)
            sa[ty][tx] = A[r * N + t * T + tx];
        for (int y = ty; y < len; y += 8)
            if (c < N)
                sb[y][tx] = B[(t * T + y) * N + c];
        __syncthreads();

        if (r < N && c < N)
            for (int k = 0; k < len; k++)
                acc += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = acc;
}

LAUNCH(.block = {T, 8}, .tile = {T, 8});
