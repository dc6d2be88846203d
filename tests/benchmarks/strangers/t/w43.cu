#include <lab.h>

template <int R>
__device__ void clear(float (&m)[R][R])
{
    for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) m[i][j] = 0.f;
}

#define R  2
#define T  16
#define RT (R * T)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[RT][T], Bs[T][RT];
    float reg[R][R];
    clear(reg);

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int rowBase = blockIdx.y * RT + ty * R;
    const int colBase = blockIdx.x * RT + tx * R;

    for (int k0 = 0; k0 < N; k0 += T) {
        for (int i = 0; i < R; ++i) {
            const int r = rowBase + i, ka = k0 + tx;
            const int c = colBase + i, kb = k0 + ty;
            As[ty * R + i][tx] = (r < N && ka < N) ? A[r * N + ka] : 0.f;
            Bs[ty][tx * R + i] = (c < N && kb < N) ? B[kb * N + c] : 0.f;
        }
        __syncthreads();

        for (int k = 0; k < T; ++k)
            for (int i = 0; i < R; ++i)
                for (int j = 0; j < R; ++j)
                    reg[i][j] += As[ty * R + i][k] * Bs[k][tx * R + j];
        __syncthreads();
    }

    for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) {
            const int r = rowBase + i, c = colBase + j;
            if (r < N && c < N)
                C[r * N + c] = reg[j][i];
        }
}

LAUNCH(.block = {T, T}, .tile = {RT, RT});
