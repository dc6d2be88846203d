#include <lab.h>

#define S 16

// double buffering, a single barrier per tile
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a_buf[2][S][S];
    __shared__ float b_buf[2][S][S];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i = blockIdx.y * S + ty;
    const int j = blockIdx.x * S + tx;
    int which = 0;
    float acc = 0.0f;

    a_buf[0][ty][tx] = (i < N && tx < N) ? A[i * N + tx] : 0.0f;
    b_buf[0][ty][tx] = (ty < N && j < N) ? B[ty * N + j] : 0.0f;

    for (int k0 = 0; k0 < N; k0 += S) {
        __syncthreads();
        const int k1 = k0 + S;
        if (k1 < N) {
            a_buf[which ^ 1][ty][tx] = (i < N && k1 + tx < N) ? A[i * N + k1 + tx] : 0.0f;
            b_buf[which ^ 1][ty][tx] = (k1 + ty < N && j < N) ? B[(k1 + ty) * N + j] : 0.0f;
        }
        for (int k = 0; k < S; ++k)
            acc += a_buf[which][ty][k] * b_buf[which][k][tx];
        which ^= 1;
    }

    if (i < N && j < N)
        C[i * N + j] = acc;
}

LAUNCH(.block = {S, S}, .tile = {S, S});
