#include <lab.h>

#define P 16

// software pipelining: registers hold the next tile
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float s_a[P][P];
    __shared__ float s_b[P][P];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = P * blockIdx.y + ty;
    const int col = P * blockIdx.x + tx;

    float ra = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
    float rb = (ty < N && col < N) ? B[ty * N + col] : 0.0f;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += P) {
        s_a[ty][tx] = k0 + tx < N ? ra : 0.0f;
        s_b[ty][tx] = rb;
        __syncthreads();

        float na = row < N ? A[row * N + k0 + P + tx] : 0.0f;
        float nb = (k0 + P + ty < N && col < N) ? B[(k0 + P + ty) * N + col] : 0.0f;

        for (int k = 0; k < P; ++k) acc += s_a[ty][k] * s_b[k][tx];
        __syncthreads();
        ra = na;
        rb = nb;
    }

    if (row < N && col < N) C[row * N + col] = acc;
}

LAUNCH(.block = {P, P}, .tile = {P, P});
