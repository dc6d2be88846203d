#include <lab.h>
#define D 16

// two pairs of tiles in turn, one barrier per step
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[2][D][D];
    __shared__ float sb[2][D][D];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i = blockIdx.y * D + ty;
    const int j = blockIdx.x * D + tx;
    const int last = (N - 1) / D;

    sa[0][ty][tx] = i < N && tx < N ? A[i * N + tx] : 0.0f;
    sb[0][ty][tx] = j < N && ty < N ? B[ty * N + j] : 0.0f;
    __syncthreads();

    float c = 0.0f;
    for (int t = 0; t <= last; ++t)
    {
        const int p = t % 2;
        if (t != last)
        {
            const int ka = (t + 1) * D + tx;
            const int kb = (t + 1) * D + ty;
            sa[1 - p][ty][tx] = i < N && ka < N ? A[i * N + ka] : 0.0f;
            sb[1 - p][ty][tx] = j < N && kb < N ? B[kb * N + j] : 0.0f;
        }
        for (int k = 0; k < D; ++k)
            c += sa[p][ty][k] * sb[p][k][tx];
        __syncthreads();
    }

    if (i < N && j < N)
        C[i * N + j] = c;
}

LAUNCH(.block = {D, D}, .tile = {D, D});
