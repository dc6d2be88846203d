#include <lab.h>

#define KT 16

// ping-pong tiles
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a_s[2][KT][KT];
    __shared__ float b_s[2][KT][KT];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int gi = blockIdx.y * KT + ty;
    int gj = blockIdx.x * KT + tx;
    int ping = 0;
    float out = 0.0f;

    // tile 0
    a_s[0][ty][tx] = (gi < N && tx < N) ? A[gi * N + tx] : 0.0f;
    b_s[0][ty][tx] = (gj < N && ty < N) ? B[ty * N + gj] : 0.0f;

    for (int k0 = 0; k0 < N; k0 += KT) {
        int k1 = k0 + KT;
        int pong = 1 - ping;

        if (k1 < N) {
            a_s[pong][ty][tx] = (gi < N && k1 + tx < N) ? A[gi * N + k1 + tx] : 0.0f;
            b_s[pong][ty][tx] = (gj < N && k1 + ty < N) ? B[(k1 + ty) * N + gj] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < KT; k++)
            out += a_s[ping][ty][k] * b_s[ping][k][tx];

        ping = pong;
    }

    if (gi < N && gj < N)
        C[gi * N + gj] = out;
}

LAUNCH(.block = {KT, KT}, .tile = {KT, KT});
